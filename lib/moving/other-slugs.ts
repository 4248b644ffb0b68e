import { ImportItem } from "../accounts/imports.ts";
import { OldSlugItem } from "../posts/old-slugs.ts";
import { key } from "../table/keys.ts";
import { range } from "../table/ranges.ts";
import { get, getMany, getRange } from "../table/reads.ts";
import { entries, entryKey, type Imported, ImportedItem, subjectOf } from "./journal.ts";
import type { Work } from "./work.ts";

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
    this.#journals ??= await this.#open(postId);
    const slugs: string[] = [];
    for (const journal of this.#journals) {
      while (journal.next && subjectOf(journal.next) < postId) await step(journal);
      if (journal.next && subjectOf(journal.next) === postId) slugs.push(...(journal.next.slugs ?? []));
    }
    return this.#leadingTo(postId, slugs);
  }

  /** The slugs that a merged post had elsewhere; posts that were merged come in no order. */
  async ofMerged(postId: string): Promise<string[]> {
    const imports = await this.#work(() => getRange(range.imports(), ImportItem));
    const keys = imports.map(({ sk }) => key.imported(sk, entryKey("post", postId)));
    const slugs = (await this.#work(() => getMany(keys, ImportedItem))).flatMap((entry) => entry.slugs ?? []);
    return this.#leadingTo(postId, slugs);
  }

  async #leadingTo(postId: string, slugs: string[]): Promise<string[]> {
    const owners = await this.#work(() => Promise.all(slugs.map((slug) => get(key.oldSlug(slug), OldSlugItem))));
    return slugs.filter((_, n) => owners[n]?.postId === postId).sort();
  }

  /** Opens the journals where they come to a post. */
  async #open(postId: string): Promise<Journal[]> {
    const imports = await this.#work(() => getRange(range.imports(), ImportItem));
    const entriesOf = (importId: string) => entries(this.#work, importId, entryKey("post"), entryKey("post", postId));
    const journals = imports.map(({ sk }) => ({ entries: entriesOf(sk), next: undefined }));
    await Promise.all(journals.map(step));
    return journals;
  }
}

async function step(journal: Journal): Promise<void> {
  const { value, done } = await journal.entries.next();
  journal.next = done ? undefined : value;
}
