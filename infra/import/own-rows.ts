import type * as z from "zod/mini";
import { EXPORT_VERSION, Head, type OwnKind, type OwnRow, type OwnRows, ownRows } from "../../lib/moving/form.ts";
import type { Input, Place, Report } from "./formats/form.ts";
import { type Line, linesOf } from "./formats/lines.ts";

// Reads an export of a site: its rows one by one, or with all that belongs to a post together.

async function* linesIn(input: Input): AsyncGenerator<{ file: string; line: Line }, void, undefined> {
  for (const file of input.names) {
    for await (const line of linesOf(await input.open(file))) if (line.text.trim() !== "") yield { file, line };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The first line, if a source is an export of a site. Throws if this code cannot read the export, or if it is one of
 * several files.
 */
export async function headOf(input: Input): Promise<Head | undefined> {
  const heads = new Map<string, Head>();
  for (const file of input.names) {
    const head = await headIn(file, input);
    if (head) heads.set(file, head);
  }
  const [only] = heads.values();
  if (!only || input.names.length === 1) return only;
  const found = [...heads.keys()].join(", ");
  throw new Error(`Among ${input.names.length} files are exports of a site (${found}): give the path of one such file`);
}

async function headIn(file: string, input: Input): Promise<Head | undefined> {
  for await (const { line } of linesIn({ ...input, names: [file] })) return readHead(file, parsed(line.text));
  return undefined;
}

/** Without its first line an export would come in as of another portal: so one that cannot be read is refused. */
function readHead(file: string, line: unknown): Head | undefined {
  const { kind, version } = (line ?? {}) as { kind?: unknown; version?: unknown };
  if (kind !== "export") return undefined;
  const head = Head.safeParse(line);
  if (head.success) return head.data;
  if (typeof version === "number" && version > EXPORT_VERSION)
    throw new Error(
      `${file} is an export in form ${version}, and this version reads only form ${EXPORT_VERSION}: upgrade this one first`,
    );
  throw new Error(`${file} begins like an export, but its first line is not as one writes it: export it anew`);
}

export type Placed<R extends OwnRow = OwnRow> = { place: Place; row: R };

function kindOf(value: unknown): OwnKind | undefined {
  const kind: unknown = (value as { kind?: unknown } | undefined)?.kind;
  return typeof kind === "string" && Object.hasOwn(ownRows, kind) ? (kind as OwnKind) : undefined;
}

/** What is wrong with a row, and in which field. */
function wrongIn({ issues }: z.core.$ZodError): { field: string; what: string } {
  const [issue] = issues;
  return { field: issue?.path.join(".") || "line", what: `${issue?.message ?? "is wrong"}: the row is left out` };
}

/**
 * The rows behind the first line. One that is not as an export writes it is reported, and left out. `hash` takes all
 * lines.
 */
export async function* ownRowsIn(
  input: Input,
  report: Report,
  hash?: { update: (text: string) => unknown },
): AsyncGenerator<Placed, void, undefined> {
  let isFirst = true;
  for await (const { file, line } of linesIn(input)) {
    hash?.update(line.text);
    const isHead = isFirst;
    isFirst = false;
    if (isHead) continue;
    const place = { file, row: line.row };
    const value = line.isCut ? undefined : parsed(line.text);
    const kind = kindOf(value);
    const read = kind && ownRows[kind].safeParse(value);
    if (read?.success) yield { place, row: read.data };
    else if (read) report({ place, ...wrongIn(read.error) });
    else report({ place, field: "line", what: "is no row of an export: it is left out" });
  }
}

/** A post with all that belongs to it. */
export type OwnPost = {
  post: OwnRows["post"];
  votes: OwnRows["vote"][];
  comments: OwnRows["comment"][];
  changes: OwnRows["change"][];
  follows: OwnRows["follow"][];
  merged: OwnMerged[];
};

/** A post that was merged, with what belongs to it. */
export type OwnMerged = {
  post: OwnRows["merged"];
  moved: OwnRows["moved"][];
  changes: OwnRows["change"][];
  follows: OwnRows["follow"][];
};

/** What is written together: a post with all that belongs to it, or a row of its own. */
export type Piece = { kind: "whole post"; post: OwnPost } | Exclude<OwnRow, { post: string } | { kind: "post" }>;

/** Puts together what belongs to a post. A row that does not follow its post is reported, and left out. */
export async function* piecesOf(rows: AsyncIterable<Placed>, report: Report): AsyncGenerator<Piece, void, undefined> {
  let open: OwnPost | undefined;
  for await (const { row, place } of rows) {
    if ("post" in row) {
      const isOfOpen = open !== undefined && addTo(open, row);
      if (!isOfOpen) report({ place, field: "post", what: "does not stand above: the row is left out" });
      continue;
    }
    if (open) yield { kind: "whole post", post: open };
    open = undefined;
    if (row.kind === "post") open = { post: row, votes: [], comments: [], changes: [], follows: [], merged: [] };
    else yield row;
  }
  if (open) yield { kind: "whole post", post: open };
}

type RowOfPost = Extract<OwnRow, { post: string }>;

/** Adds a row to the post that it belongs to, merged or not. Returns whether that stands above. */
function addTo(open: OwnPost, row: RowOfPost): boolean {
  const merged = open.merged.find(({ post }) => post.ref === row.post);
  if (merged) return addToMerged(merged, row);
  if (open.post.ref !== row.post || row.kind === "moved") return false;
  if (row.kind === "vote") open.votes.push(row);
  else if (row.kind === "comment") open.comments.push(row);
  else if (row.kind === "change") open.changes.push(row);
  else if (row.kind === "follow") open.follows.push(row);
  else open.merged.push({ post: row, moved: [], changes: [], follows: [] });
  return true;
}

function addToMerged(merged: OwnMerged, row: RowOfPost): boolean {
  if (row.kind === "moved") merged.moved.push(row);
  else if (row.kind === "change") merged.changes.push(row);
  else if (row.kind === "follow") merged.follows.push(row);
  else return false;
  return true;
}

/** Pieces of one kind that follow each other, up to a number of them. */
export async function* batchesOf(pieces: AsyncIterable<Piece>, most: number): AsyncGenerator<Piece[], void, undefined> {
  let batch: Piece[] = [];
  for await (const piece of pieces) {
    const isLike = batch[0]?.kind === piece.kind && batch.length < most;
    if (!isLike && batch.length > 0) {
      yield batch;
      batch = [];
    }
    batch.push(piece);
  }
  if (batch.length > 0) yield batch;
}
