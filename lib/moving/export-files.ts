import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import type { ExportFormat } from "../accounts/exports.ts";
import { shelf } from "./own-shelf.ts";
import { type Named, nothingNamed } from "./sheets.ts";
import { UploadGone } from "./shelf.ts";
import type { Written } from "./walk.ts";

// What an export has on the shelf: the file, and the rest, which is text, ids and names that wait between two pieces.
// Its two names take turns, so that a piece that is killed while it saves leaves what it began with. An archive of
// sheets also has pieces of these until it is packed.

type OfExport = { exportId: string; format: ExportFormat };

const ENDINGS = { jsonl: "jsonl", csv: "zip" } as const;

export function fileOf({ exportId, format }: OfExport): string {
  return `${exportId}/site.${ENDINGS[format]}`;
}

/** The name under which people keep the file. */
export function downloadName({ format, at }: { format: ExportFormat; at: number }): string {
  return `site-${new Date(at).toISOString().slice(0, 10)}.${ENDINGS[format]}`;
}

function restOf(exportId: string, pieces: number): string {
  return `${exportId}/rest-${pieces % 2}`;
}

/** Another process may write the same piece of a sheet: each has names of its own. */
export function newPieceName(exportId: string, file: string): string {
  return `${exportId}/${file}-${randomUUID()}`;
}

/** The name of the only text of an export of lines; an archive has a text for each sheet. */
export const LINES = "";

/** Text that waits for its part of the file, and what stands in the file: ids, and for sheets also names. */
export class Rest {
  readonly written: Written;
  readonly named: Named;
  #texts: Map<string, Buffer[]>;
  #bytes = 0;

  constructor(
    texts: Map<string, Buffer> = new Map(),
    written: Written = { accounts: new Set(), entries: new Set() },
    named: Named = nothingNamed(),
  ) {
    this.written = written;
    this.named = named;
    this.#texts = new Map();
    for (const [name, text] of texts) this.#append(name, text);
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(name: string, text: string): void {
    this.#append(name, Buffer.from(text));
  }

  #append(name: string, text: Buffer): void {
    const parts = this.#texts.get(name);
    if (parts) parts.push(text);
    else this.#texts.set(name, [text]);
    this.#bytes += text.length;
  }

  get texts(): Map<string, Buffer> {
    return new Map([...this.#texts].map(([name, parts]) => [name, Buffer.concat(parts)]));
  }

  take(): Map<string, Buffer> {
    const { texts } = this;
    this.#texts = new Map();
    this.#bytes = 0;
    return texts;
  }
}

const Person = z.object({ name: z.string(), email: z.string() });

/** The first line of a saved rest: the texts follow it, with these names and lengths. */
const RestHead = z.object({
  mark: z.string(),
  texts: z.array(z.tuple([z.string(), z.number()])),
  accounts: z.array(z.string()),
  entries: z.array(z.string()),
  people: z.array(z.tuple([z.string(), Person])),
  names: z.array(z.tuple([z.string(), z.string()])),
});

/** Saves the rest for the next piece, and returns its mark. */
export async function saveRest(exportId: string, pieces: number, rest: Rest): Promise<string> {
  const { texts, written, named } = rest;
  const head: z.output<typeof RestHead> = {
    mark: randomUUID(),
    texts: [...texts].map(([name, text]) => [name, text.length]),
    accounts: [...written.accounts],
    entries: [...written.entries],
    people: [...named.people],
    names: [...named.entries],
  };
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...texts.values()]);
  await shelf().put(restOf(exportId, pieces), content);
  return head.mark;
}

// The rest that this process has saved last: it need not read that again.
let kept: { exportId: string; mark: string; rest: Rest } | undefined;

export function keepRest(exportId: string, mark: string, rest: Rest): void {
  kept = { exportId, mark, rest };
}

/** The rest for a piece. Throws UploadGone if it is gone, or another process has written over it. */
export async function readRest(job: {
  exportId: string;
  pieces: number;
  restMark?: string | undefined;
}): Promise<Rest> {
  const { exportId, pieces, restMark: mark } = job;
  if (mark === undefined) return new Rest();
  const known = kept?.exportId === exportId && kept.mark === mark ? kept.rest : undefined;
  // A piece changes it, and may fail.
  kept = undefined;
  if (known) return known;
  const content = await shelf().get(restOf(exportId, pieces));
  const end = content?.indexOf("\n") ?? -1;
  const head = content && end > 0 ? RestHead.safeParse(JSON.parse(content.toString("utf8", 0, end))) : undefined;
  if (!content || !head?.success || head.data.mark !== mark) throw new UploadGone("the rest for a piece is gone");
  const { accounts, entries, people, names } = head.data;
  const written = { accounts: new Set(accounts), entries: new Set(entries) };
  const named = { people: new Map(people), entries: new Map(names) };
  return new Rest(textsIn(content.subarray(end + 1), head.data.texts), written, named);
}

function textsIn(content: Buffer, lengths: [name: string, length: number][]): Map<string, Buffer> {
  const texts = new Map<string, Buffer>();
  let from = 0;
  for (const [name, length] of lengths) {
    texts.set(name, content.subarray(from, from + length));
    from += length;
  }
  return texts;
}

export async function removeRests(exportId: string): Promise<void> {
  for (const pieces of [0, 1]) await shelf().remove(restOf(exportId, pieces));
}

export async function removeFiles(job: OfExport): Promise<void> {
  await removeRests(job.exportId);
  await shelf().remove(fileOf(job));
}
