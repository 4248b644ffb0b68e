import type * as z from "zod/mini";
import { OldSlugItem } from "../../lib/posts/old-slugs.ts";
import { key } from "../../lib/table/keys.ts";
import { range } from "../../lib/table/ranges.ts";
import { get, getRange } from "../../lib/table/reads.ts";
import { entryKey, type Imported, ImportedItem, ImportItem, subjectOf } from "../import/journal.ts";
import type { Work } from "../import/work.ts";
import { paged } from "./paged.ts";

// The slugs that imported posts had in other portals are found by the journals of the imports, in the order of the ids
// of posts. The export asks for its posts in the same order, so each journal is read once.

/** A walk through a journal, and the entry at which it is. */
type Journal = { entries: AsyncIterator<Imported>; next: Imported | undefined };

export class OtherSlugs {
  readonly #work: Work;
  #journals: Journal[] | undefined;

  constructor(work: Work) {
    this.#work = work;
  }

  /** The slugs that a post had elsewhere and that lead to it; each post has a greater id than the one before. */
  async of(postId: string): Promise<string[]> {
    this.#journals ??= await this.#open();
    const slugs: string[] = [];
    for (const journal of this.#journals) {
      while (journal.next && subjectOf(journal.next) < postId) await step(journal);
      if (journal.next && subjectOf(journal.next) === postId) slugs.push(...(journal.next.slugs ?? []));
    }
    const owners = await this.#work(() => Promise.all(slugs.map((slug) => get(key.oldSlug(slug), OldSlugItem))));
    return slugs.filter((_, n) => owners[n]?.postId === postId).sort();
  }

  async #open(): Promise<Journal[]> {
    const imports = await this.#work(() => getRange(range.imports(), ImportItem));
    const journals = imports.map(({ sk }) => ({ entries: entriesOf(this.#work, sk), next: undefined }));
    await Promise.all(journals.map(step));
    return journals;
  }
}

async function step(journal: Journal): Promise<void> {
  const { value, done } = await journal.entries.next();
  journal.next = done ? undefined : value;
}

async function* entriesOf(work: Work, importId: string): AsyncGenerator<Imported, void, undefined> {
  const skOf = ({ sk }: z.output<typeof ImportedItem>) => sk;
  const walk = { range: range.imported(importId, entryKey("post")), schema: ImportedItem, skOf, pageSize: 1000 };
  for await (const page of paged(work, walk)) yield* page;
}
