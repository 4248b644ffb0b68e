import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { shelf } from "./own-shelf.ts";
import { UploadGone } from "./shelf.ts";
import type { Written } from "./walk.ts";

// What an export has on the shelf: the file, and the rest, which are lines and ids that wait between two pieces. Its
// two names take turns, so that a piece that is killed while it saves leaves what it began with.

export function fileOf(exportId: string): string {
  return `${exportId}/site.jsonl`;
}

function restOf(exportId: string, pieces: number): string {
  return `${exportId}/rest-${pieces % 2}`;
}

/** Lines that wait for their part of the file, and the ids of what stands in it. */
export class Rest {
  readonly written: Written;
  #lines: Buffer[];
  #bytes: number;

  constructor(lines: Buffer = Buffer.alloc(0), written: Written = { accounts: new Set(), entries: new Set() }) {
    this.written = written;
    this.#lines = [lines];
    this.#bytes = lines.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(line: string): void {
    const bytes = Buffer.from(line);
    this.#lines.push(bytes);
    this.#bytes += bytes.length;
  }

  get lines(): Buffer {
    return Buffer.concat(this.#lines);
  }

  take(): Buffer {
    const { lines } = this;
    this.#lines = [];
    this.#bytes = 0;
    return lines;
  }
}

const RestHead = z.object({ mark: z.string(), accounts: z.array(z.string()), entries: z.array(z.string()) });

/** Saves the rest for the next piece, and returns its mark. */
export async function saveRest(exportId: string, pieces: number, { lines, written }: Rest): Promise<string> {
  const mark = randomUUID();
  const head = { mark, accounts: [...written.accounts], entries: [...written.entries] };
  await shelf().put(restOf(exportId, pieces), Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), lines]));
  return mark;
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
  const { accounts, entries } = head.data;
  return new Rest(content.subarray(end + 1), { accounts: new Set(accounts), entries: new Set(entries) });
}

export async function removeRests(exportId: string): Promise<void> {
  for (const pieces of [0, 1]) await shelf().remove(restOf(exportId, pieces));
}

export async function removeFiles(exportId: string): Promise<void> {
  await removeRests(exportId);
  await shelf().remove(fileOf(exportId));
}
