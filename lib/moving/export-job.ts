import * as z from "zod/mini";
import { Counts, endPart, KEPT_MS, LONGEST_MS } from "../accounts/exports.ts";
import { mailPart } from "../accounts/outbox.ts";
import * as site from "../accounts/site.ts";
import * as users from "../accounts/users.ts";
import { environment } from "../runtime/environment.ts";
import * as log from "../runtime/log.ts";
import { setFields, stillHas } from "../table/changes.ts";
import type { Outcome } from "../table/due.ts";
import { key } from "../table/keys.ts";
import type { Part } from "../table/parts.ts";
import { getOrThrow } from "../table/reads.ts";
import { removeAlone } from "../table/single-writes.ts";
import { transact } from "../table/transactions.ts";
import { fileOf, keepRest, type Rest, readRest, removeFiles, removeRests, saveRest } from "./export-files.ts";
import type { OwnKind } from "./form.ts";
import { headLine, lineOf } from "./lines.ts";
import { shelf } from "./own-shelf.ts";
import { PART_BYTES, UploadGone } from "./shelf.ts";
import { batchesOfSite, type Place } from "./walk.ts";
import { workshop } from "./work.ts";

// The owner's export of all of the site, written piece by piece. A piece walks on for some seconds. Its lines go into a
// part of the file once there are enough of them; until then they wait on the shelf, beside the ids of what stands in
// the file. The job's item has the place where the next piece continues. It changes last, so a piece that was killed is
// made again.

/** Parses a stored job. */
export const JobItem = z.object({
  at: z.number(),
  /** How many pieces are saved. */
  pieces: z._default(z.number(), 0),
  /** Where the next piece continues, and the mark by which its rest on the shelf is known. */
  place: z.optional(z.object({ part: z.enum(["catalogue", "accounts", "posts"]), after: z.optional(z.string()) })),
  restMark: z.optional(z.string()),
  /** The upload of the file, and the tags of its parts. */
  upload: z.optional(z.string()),
  tags: z._default(z.array(z.string()), []),
  bytes: z._default(z.number(), 0),
  counts: z._default(Counts, { accounts: 0, boards: 0, roadmaps: 0, statuses: 0, posts: 0, votes: 0, comments: 0 }),
  /** Whether all parts of the file are written. */
  isWhole: z._default(z.boolean(), false),
  /** When the file was whole, in milliseconds since 1970. */
  readyAt: z.optional(z.number()),
});
type Job = z.output<typeof JobItem> & { exportId: string };

/** How many read units an export takes: a tenth of what a table serves by default (infra/stack/context.ts). */
export const UNITS_A_SECOND = 150;

/** The function of the work has a minute, in which it also writes what a piece has read. */
const LONGEST_PIECE_MS = 40_000;

/** An engine on one machine has no limit of units. */
function pace(): number {
  return environment().EXPORT_BUCKET_URL === undefined ? Number.POSITIVE_INFINITY : UNITS_A_SECOND;
}

const COUNTED: Partial<Record<OwnKind, keyof Counts>> = {
  account: "accounts",
  board: "boards",
  roadmap: "roadmaps",
  status: "statuses",
  post: "posts",
  vote: "votes",
  comment: "comments",
};

/** Continues an export; keeps it for an hour once it is whole, and then removes it. */
export async function carryOut(exportId: string, isOver: () => boolean): Promise<Outcome> {
  const stored = await getOrThrow(key.exportJob(exportId), JobItem);
  if (!stored) return "done";
  const job = { exportId, ...stored };
  if (job.readyAt === undefined) return Date.now() < job.at + LONGEST_MS ? write(job, isOver) : fail(job);
  const endsAt = job.readyAt + KEPT_MS;
  return Date.now() < endsAt ? { notBefore: endsAt } : end(exportId);
}

async function write(job: Job, isOver: () => boolean): Promise<Outcome> {
  try {
    const written = job.isWhole ? job : await writePiece(job, isOver);
    return written.isWhole ? await finish(written) : "more";
  } catch (error) {
    if (!(error instanceof UploadGone)) throw error;
    log.error("an export has to begin anew", { item: job.exportId, error });
    return fail(job);
  }
}

/** Makes the next piece. Returns the job as it is then; as it was if another process made the piece meanwhile. */
async function writePiece(job: Job, isOver: () => boolean): Promise<Job> {
  const rest = await readRest(job);
  const name = fileOf(job.exportId);
  const upload = { name, id: job.upload ?? (await shelf().begin(name)) };
  const piece = await walkOn(job, rest, isOver);
  if (piece.isWhole || rest.bytes >= PART_BYTES) {
    piece.tags.push(await shelf().putPart(upload, piece.tags.length + 1, rest.take()));
  }
  return save(job, { ...piece, upload: upload.id }, rest);
}

type Piece = Pick<Job, "tags" | "bytes" | "counts"> & { place: Place | undefined; isWhole: boolean };

/** Adds lines to the rest until the time is over, or there are enough for a part. */
async function walkOn(job: Job, rest: Rest, isOver: () => boolean): Promise<Piece> {
  const { place, bytes } = job;
  const piece: Piece = { tags: [...job.tags], bytes, counts: { ...job.counts }, place, isWhole: true };
  const before = rest.bytes;
  if (job.pieces === 0) rest.add(headLine(false));
  // A store that is busy ends the piece, which is made again later.
  const { work } = workshop(pace(), "read", 1);
  const endsAt = Date.now() + LONGEST_PIECE_MS;
  for await (const { rows, next } of batchesOfSite({ work, endsAt }, job.place, rest.written)) {
    for (const row of rows) {
      rest.add(lineOf(row, false));
      const counted = COUNTED[row.kind];
      if (counted) piece.counts[counted]++;
    }
    piece.place = next;
    if (isOver() || rest.bytes >= PART_BYTES) {
      piece.isWhole = false;
      break;
    }
  }
  piece.bytes += rest.bytes - before;
  return piece;
}

async function save(job: Job, piece: Piece & { upload: string }, rest: Rest): Promise<Job> {
  const pieces = job.pieces + 1;
  // The last part of the file has taken all.
  const restMark = piece.isWhole ? undefined : await saveRest(job.exportId, pieces, rest);
  const progress = { ...piece, pieces, restMark };
  const saved = await transact({ job: changePart(job, progress) });
  if (!saved.done) return job;
  if (restMark !== undefined) keepRest(job.exportId, restMark, rest);
  return { ...job, ...progress };
}

/** Part: changes the job, unless another process made the piece meanwhile. */
function changePart({ exportId, pieces }: Job, fields: Partial<Job>): Part {
  return setFields(
    key.exportJob(exportId),
    fields,
    stillHas({ pieces: pieces === 0 ? undefined : pieces, readyAt: undefined }),
  );
}

/** Makes the file of its parts, and mails the owner. May be repeated: the parts are saved. */
async function finish(job: Job): Promise<Outcome> {
  const { exportId, upload = "", tags, bytes, counts } = job;
  await shelf().complete({ name: fileOf(exportId), id: upload }, tags);
  const readyAt = Date.now();
  const ofSite = await site.find();
  const owner = ofSite && (await users.find(ofSite.ownerId));
  const ended = await transact({
    last: endPart(exportId, { readyAt, bytes, counts }),
    job: changePart(job, { readyAt }),
    mail: owner && mailPart({ to: owner.email, userId: owner.userId, template: "export-ready" }),
  });
  // Another one has begun since.
  if (!ended.done && ended.failed.last) return end(exportId);
  if (ended.done) log.info(`exported ${JSON.stringify(counts)}`, { item: exportId });
  await removeRests(exportId);
  return { notBefore: readyAt + KEPT_MS };
}

async function fail({ exportId }: Job): Promise<Outcome> {
  await transact({ last: endPart(exportId, { failedAt: Date.now() }) });
  return end(exportId);
}

/** Removes the job and its files. */
async function end(exportId: string): Promise<"done"> {
  await removeFiles(exportId);
  await removeAlone(key.exportJob(exportId));
  return "done";
}
