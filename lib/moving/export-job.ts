import { type Counts, endPart, KEPT_MS, LONGEST_MS } from "../accounts/exports.ts";
import { mailPart } from "../accounts/outbox.ts";
import * as site from "../accounts/site.ts";
import * as users from "../accounts/users.ts";
import { environment } from "../runtime/environment.ts";
import * as log from "../runtime/log.ts";
import { setFields, stillHas } from "../table/changes.ts";
import type { Outcome } from "../table/due.ts";
import { key } from "../table/keys.ts";
import { type Condition, type Part, replace } from "../table/parts.ts";
import { getOrThrow } from "../table/reads.ts";
import { removeAlone } from "../table/single-writes.ts";
import { transact } from "../table/transactions.ts";
import { fileOf, keepRest, LINES, type Rest, readRest, removeFiles, removeRests, saveRest } from "./export-files.ts";
import { type Job, JobItem } from "./export-item.ts";
import { pack, putPart, removeSheets, writeSheets } from "./export-parts.ts";
import type { OwnKind, OwnRow } from "./form.ts";
import { headLine, lineOf } from "./lines.ts";
import { MergedMeanwhile } from "./merged.ts";
import { shelf } from "./own-shelf.ts";
import { StillMoving } from "./posts.ts";
import { Sheets } from "./sheets.ts";
import { PART_BYTES, UploadGone } from "./shelf.ts";
import { batchesOfSite, type Place } from "./walk.ts";
import { workshop } from "./work.ts";

// The owner's export of all of the site, written piece by piece. A piece walks on for some seconds. Its lines go into a
// part of the file, or of the sheets, once there are enough of them; until then they wait on the shelf, beside the ids
// of what stands in the file. The job's item has the place where the next piece continues. It changes last, so a piece
// that was killed is made again. Sheets are packed into an archive behind the walk.

/** How many read units an export takes: a tenth of what a table serves by default (infra/stack/context.ts). */
export const UNITS_A_SECOND = 150;

/** The function of the work has a minute, in which it also writes what a piece has read. */
const LONGEST_PIECE_MS = 40_000;

/** How long to wait for votes that a merge moves. */
const MOVE_WAIT_MS = 2000;

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
  return Date.now() < endsAt ? { notBefore: endsAt } : end(job);
}

async function write(job: Job, isOver: () => boolean): Promise<Outcome> {
  try {
    const { written, waits } = job.isWhole ? { written: job, waits: false } : await writePiece(job, isOver);
    if (written.isWhole) return await finish(written);
    return waits ? { notBefore: Date.now() + MOVE_WAIT_MS } : "more";
  } catch (error) {
    if (error instanceof MergedMeanwhile) return beginAnew(job);
    if (!(error instanceof UploadGone)) throw error;
    log.error("an export has to begin anew", { item: job.exportId, error });
    return fail(job);
  }
}

/**
 * Makes the next piece. Returns the job as it is then, and whether the next one waits for votes that are moved; the job
 * as it was if another process made the piece meanwhile.
 */
async function writePiece(job: Job, isOver: () => boolean): Promise<{ written: Job; waits: boolean }> {
  if (job.isWalked) return { written: await save(job, await pack(job, isOver)), waits: false };
  const rest = await readRest(job);
  const { waits, ...walked } = await walkOn(job, rest, isOver);
  if (waits && walked.place === job.place) return { written: job, waits };
  const isEnough = walked.isWalked || rest.bytes >= PART_BYTES;
  const texts = isEnough ? await writeTexts(job, rest.take(), walked.isWalked) : {};
  return { written: await save(job, { ...walked, ...texts }, walked.isWalked ? undefined : rest), waits };
}

async function writeTexts(job: Job, texts: Map<string, Buffer>, isLast: boolean): Promise<Partial<Job>> {
  if (job.format === "csv") return { entries: await writeSheets(job, texts) };
  const content = texts.get(LINES) ?? Buffer.alloc(0);
  return { ...(await putPart(job, content)), bytes: job.bytes + content.length, isWhole: isLast };
}

type Walked = Pick<Job, "counts" | "isWalked"> & { place: Place | undefined; waits: boolean };

/** Adds text to the rest until the time is over, there is enough for a part, or a post waits for votes. */
async function walkOn(job: Job, rest: Rest, isOver: () => boolean): Promise<Walked> {
  const piece: Walked = { counts: { ...job.counts }, place: job.place, isWalked: false, waits: false };
  try {
    await addRows(job, rest, piece, isOver);
  } catch (error) {
    if (!(error instanceof StillMoving)) throw error;
    piece.waits = true;
  }
  return piece;
}

async function addRows(job: Job, rest: Rest, piece: Walked, isOver: () => boolean): Promise<void> {
  const add = job.format === "csv" ? sheetsInto(rest, job.pieces === 0) : linesInto(rest, job.pieces === 0);
  // A store that is busy ends the piece, which is made again later.
  const { work } = workshop(pace(), "read", 1);
  const endsAt = Date.now() + LONGEST_PIECE_MS;
  for await (const { rows, next } of batchesOfSite({ work, endsAt }, job.place, rest.written)) {
    for (const row of rows) {
      add(row);
      const counted = COUNTED[row.kind];
      if (counted) piece.counts[counted]++;
    }
    piece.place = next;
    if (isOver() || rest.bytes >= PART_BYTES) return;
  }
  piece.isWalked = true;
}

function linesInto(rest: Rest, isFirst: boolean): (row: OwnRow) => void {
  if (isFirst) rest.add(LINES, headLine(false));
  return (row) => rest.add(LINES, lineOf(row, false));
}

function sheetsInto(rest: Rest, isFirst: boolean): (row: OwnRow) => void {
  const sheets = new Sheets(rest.named);
  if (isFirst) for (const [file, heading] of sheets.headings()) rest.add(file, heading);
  return (row) => {
    const found = sheets.lineOf(row);
    if (found) rest.add(found.file, found.line);
  };
}

/** Saves what a piece has made, and the rest for the next one. */
async function save(job: Job, made: Partial<Job>, rest?: Rest): Promise<Job> {
  const pieces = job.pieces + 1;
  const restMark = rest && (await saveRest(job.exportId, pieces, rest));
  const progress = { ...made, pieces, restMark };
  const saved = await transact({ job: changePart(job, progress) });
  if (!saved.done) return job;
  if (rest && restMark !== undefined) keepRest(job.exportId, restMark, rest);
  return { ...job, ...progress };
}

/** Part: changes the job, unless another process made the piece meanwhile. */
function changePart({ exportId, pieces }: Job, fields: Partial<Job>): Part {
  return setFields(key.exportJob(exportId), fields, asBefore(pieces));
}

function asBefore(pieces: number): Condition {
  return stillHas({ pieces: pieces === 0 ? undefined : pieces, readyAt: undefined });
}

/** Makes the file of its parts, and mails the owner. May be repeated: the parts are saved. */
async function finish(job: Job): Promise<Outcome> {
  const { exportId, upload = "", tags, bytes, counts } = job;
  await shelf().complete({ name: fileOf(job), id: upload }, tags);
  const readyAt = Date.now();
  const ofSite = await site.find();
  const owner = ofSite && (await users.find(ofSite.ownerId));
  const ended = await transact({
    last: endPart(exportId, { readyAt, bytes, counts }),
    job: changePart(job, { readyAt }),
    mail: owner && mailPart({ to: owner.email, userId: owner.userId, template: "export-ready" }),
  });
  // Another one has begun since.
  if (!ended.done && ended.failed.last) return end(job);
  if (ended.done) log.info(`exported ${JSON.stringify(counts)}`, { item: exportId });
  await removeRests(exportId);
  await removeSheets(job);
  return { notBefore: readyAt + KEPT_MS };
}

/** Forgets all pieces, unless another process made one meanwhile. The bucket drops the upload after a day. */
async function beginAnew(job: Job): Promise<"more"> {
  const { exportId, format, at, pieces } = job;
  await removeSheets(job);
  await transact({ job: replace(key.exportJob(exportId), asBefore(pieces), { format, at }) });
  return "more";
}

async function fail(job: Job): Promise<Outcome> {
  await transact({ last: endPart(job.exportId, { failedAt: Date.now() }) });
  return end(job);
}

/** Removes the job and its files. */
async function end(job: Job): Promise<"done"> {
  await removeFiles(job);
  await removeSheets(job);
  await shelf().removeLost(job.exportId);
  await removeAlone(key.exportJob(job.exportId));
  return "done";
}
