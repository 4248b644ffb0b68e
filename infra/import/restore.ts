import { createHash } from "node:crypto";
import { gateMarks, gateParts } from "../../lib/accounts/gate.ts";
import * as identities from "../../lib/accounts/identities.ts";
import { accountParts } from "../../lib/accounts/new-users.ts";
import { newPostsParts } from "../../lib/accounts/preferences.ts";
import * as site from "../../lib/accounts/site.ts";
import type * as users from "../../lib/accounts/users.ts";
import * as passwords from "../../lib/auth/passwords.ts";
import * as boardOrder from "../../lib/catalogue/board-order.ts";
import * as boards from "../../lib/catalogue/boards.ts";
import * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import * as statuses from "../../lib/catalogue/statuses.ts";
import * as tags from "../../lib/catalogue/tags.ts";
import { beginAnew } from "../../lib/figures/counting.ts";
import type { Head, OwnKind, OwnRows } from "../../lib/moving/form.ts";
import { begin, find, finish, saveProgress } from "../../lib/moving/journal.ts";
import { secretFields } from "../../lib/moving/secret-fields.ts";
import { forEach, type Work, type Workshop } from "../../lib/moving/work.ts";
import { find as findHeld, type Held, hold } from "../../lib/posts/held.ts";
import { setFields } from "../../lib/table/changes.ts";
import { key } from "../../lib/table/keys.ts";
import { check, create } from "../../lib/table/parts.ts";
import { transact } from "../../lib/table/transactions.ts";
import type { Input, Report } from "./formats/form.ts";
import { batchesOf, ownRowsIn, type Piece, type Placed, piecesOf } from "./own-rows.ts";
import { Names } from "./people.ts";
import type { Problems } from "./problems.ts";
import { Progress } from "./progress.ts";
import { type Restoring, restorePost } from "./restore-post.ts";

// An export of a site is restored into a table without one, with the same ids, so that an export of that table is the
// same file. Each piece is written under its own ids, so a run after a kill continues with what is missing. The site
// belongs to the owner whom the file names: nobody else is there. All other roles, confirmed addresses and what lets
// people in come in only with `withCredentials`.

export type RestoreOrder = { importId: string; source: string; input: Input; head: Head; withCredentials: boolean };

type Counts = Record<OwnKind, number>;

/** What a file has, the address of the owner, and the hash of all of it. */
type Looked = { counts: Counts; owner: string | undefined; hash: string };

/** Reads a whole file, and reports what is wrong in it. */
async function look({ input }: RestoreOrder, report: Report): Promise<Looked> {
  const counts: Counts = {
    account: 0,
    site: 0,
    board: 0,
    roadmap: 0,
    status: 0,
    tag: 0,
    post: 0,
    vote: 0,
    comment: 0,
    change: 0,
    follow: 0,
    merged: 0,
    moved: 0,
    held: 0,
  };
  const addresses = new Map<string, string>();
  const hash = createHash("sha256");
  let ownerId = "";
  for await (const piece of piecesOf(counting(ownRowsIn(input, report, hash), counts), report)) {
    if (piece.kind === "account") addresses.set(piece.ref, piece.email);
    if (piece.kind === "site") ownerId = piece.owner;
  }
  return { counts, owner: addresses.get(ownerId), hash: hash.digest("hex") };
}

async function* counting(rows: AsyncIterable<Placed>, counts: Counts): AsyncGenerator<Placed, void, undefined> {
  for await (const placed of rows) {
    counts[placed.row.kind]++;
    yield placed;
  }
}

/** What an export has, as the owner reads it in the portal. */
function foundIn({ counts }: Looked) {
  const { account: accounts, board: boards, roadmap: roadmaps, status: statuses, post, merged, vote, comment } = counts;
  return { accounts, boards, roadmaps, statuses, posts: post + merged, votes: vote, comments: comment };
}

function describe({ counts, owner }: Looked): string[] {
  const { account, board, roadmap, status, tag, post, merged, vote, comment, held } = counts;
  return [
    `Found an export of a site: ${account} accounts, ${board} boards, ${roadmap} roadmaps, ${status} statuses, ` +
      `${tag} tags, ${post} posts, ${merged} merged posts, ${vote} votes, ${comment} comments and notes, ${held} held`,
    owner === undefined ? "It names no owner: it is not whole" : `The site will belong to ${owner}`,
  ];
}

/** Why an export cannot be restored here; undefined if it can. */
async function refusal({ importId, head, withCredentials }: RestoreOrder): Promise<string | undefined> {
  if (withCredentials && !head.credentials) return "The file has no credentials: it was exported without them";
  const before = await find(importId);
  if (before && !before.restores)
    return `There is an import ${importId} of something else: give this one another --name`;
  if (before || !(await site.find())) return undefined;
  return "This is an export of a whole site, and the table has a site: it goes into an empty table";
}

/** Looks at an export and writes nothing. Returns what a restore would do, in lines. */
export async function tryRestore(order: RestoreOrder, problems: Problems): Promise<string[]> {
  const looked = await look(order, problems.report);
  const refused = await refusal(order);
  return [
    ...describe(looked),
    ...problems.close(),
    refused ?? "Nothing was written: the same command with --write imports",
  ];
}

/** Restores a site from an export, or what is missing of it. Returns what was done, in lines. */
export async function restore(order: RestoreOrder, problems: Problems, { work, units }: Workshop): Promise<string[]> {
  const refused = await refusal(order);
  if (refused !== undefined) throw new Error(refused);
  const before = await find(order.importId);
  if (before && !before.isOpen) return ["The site was imported before: nothing is left to do"];
  const looked = await look(order, problems.report);
  if (looked.owner === undefined) throw new Error("The file names no owner of the site: it is not whole");
  const { hash } = looked;
  if (before?.restores && before.restores.hash !== hash)
    throw new Error("The import was begun with another file: continue it with that one");
  const startedAt = performance.now();
  await begin(order.importId, order.source, { hash });
  const total = Object.values(looked.counts).reduce((sum, count) => sum + count, 0);
  const progress = new Progress("Import", total);
  const pieces = before?.restores?.pieces ?? 0;
  await new Restore(order, problems.report, work).writeAll(progress, { hash, pieces });
  await finish(order.importId, { found: foundIn(looked), ...problems.summary });
  await beginAnew();
  progress.end();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return [
    ...describe(looked),
    `Wrote all of it in ${seconds} s, with ${units()} write units`,
    ...problems.close(),
    `Roles, passwords and confirmations: ${order.withCredentials ? "as in the file" : "none but the owner's role"}`,
  ];
}

// After as many pieces progress is saved.
const BATCH = 16;
const AT_A_TIME = 8;

class Restore {
  readonly #order: RestoreOrder;
  readonly #report: Report;
  readonly #work: Work;
  readonly #posts: Restoring;
  readonly #boardIds: string[] = [];
  readonly #statuses: Omit<statuses.StatusRecord, "letter">[] = [];

  constructor(order: RestoreOrder, report: Report, work: Work) {
    this.#order = order;
    this.#report = report;
    this.#work = work;
    const { importId } = order;
    this.#posts = { importId, names: new Names((userId) => userId), work, entries: new Set(), letters: new Map() };
  }

  /** Writes all pieces; those that an earlier run has written are only counted. */
  async writeAll(progress: Progress, { hash, pieces: written }: { hash: string; pieces: number }): Promise<void> {
    // What is wrong was reported when the file was looked at.
    const nothing = () => {};
    const pieces = piecesOf(ownRowsIn(this.#order.input, nothing), nothing);
    let done = 0;
    for await (const batch of batchesOf(pieces, BATCH)) {
      const isWritten = done + batch.length <= written;
      if (batch[0]?.kind === "status") await this.#writeStatuses(batch);
      else if (!isWritten || isOfCatalogue(batch[0])) await forEach(batch, AT_A_TIME, (piece) => this.#write(piece));
      done += batch.length;
      if (!isWritten) await this.#work(() => saveProgress(this.#order.importId, { hash, pieces: done }));
      progress.add(batch.reduce((sum, piece) => sum + rowsIn(piece), 0));
      for (const piece of batch) if (piece.kind === "board") this.#boardIds.push(piece.ref);
    }
    await this.#work(() => boardOrder.importOrder(this.#boardIds));
  }

  #write(piece: Piece): Promise<void> {
    if (piece.kind === "whole post") return restorePost(piece.post, this.#posts);
    if (piece.kind === "account") return this.#work(() => this.#addAccount(piece));
    if (piece.kind === "site") return this.#work(() => this.#addSite(piece));
    if (piece.kind === "board") return this.#work(() => this.#addBoard(piece));
    if (piece.kind === "roadmap") return this.#work(() => this.#addRoadmap(piece));
    if (piece.kind === "held") return this.#work(() => this.#addHeld(piece));
    if (piece.kind === "tag") return this.#work(() => this.#addTag(piece));
    return Promise.resolve();
  }

  /** Writes the list with the statuses that stand further down, if a status was newer than the export. */
  async #writeStatuses(batch: Piece[]): Promise<void> {
    for (const piece of batch) if (piece.kind === "status") this.#statuses.push(statusOf(piece));
    const made = await this.#work(() => statuses.importList(this.#statuses));
    for (const { statusId, letter } of made) this.#posts.letters.set(statusId, letter);
  }

  async #addBoard({
    ref: boardId,
    name,
    description,
    url,
    color,
    display,
    viewVoters,
  }: OwnRows["board"]): Promise<void> {
    const shown = { name, description, url, color, display, viewVoters };
    const outcome = await transact<string>(boards.createParts({ boardId, ...shown, postCount: 0 }));
    if (outcome.done || outcome.failed.entry) this.#posts.entries.add(boardId);
    else this.#tell("url", url, "is the url of another board here: its posts have no board");
  }

  async #addRoadmap({ ref: roadmapId, name, url, color, display, index }: OwnRows["roadmap"]): Promise<void> {
    const known = (await roadmaps.all()).some((each) => each.roadmapId === roadmapId);
    const added = known || (await roadmaps.add({ roadmapId, name, url, color, display, index }));
    if (added !== "taken") this.#posts.entries.add(roadmapId);
    else this.#tell("url", url, "is the url of another roadmap here: its posts have no roadmap");
  }

  async #addTag({ ref: tagId, name, color }: OwnRows["tag"]): Promise<void> {
    const added = (await tags.find(tagId)) ?? (await tags.add({ tagId, name, color }));
    if (added !== "taken" && added !== "too many") this.#posts.entries.add(tagId);
    else this.#tell("tag", name, `cannot come in: another tag has its name, or there are ${tags.MAX_TAGS}`);
  }

  #tell(field: string, value: string, what: string): void {
    this.#report({ place: { file: "", row: 0 }, field, value, what });
  }

  async #addAccount(given: OwnRows["account"]): Promise<void> {
    const row = this.#order.withCredentials ? given : withoutSecrets(given);
    const { ref: userId, newPosts, identities: linked = [], twoFactor } = row;
    const outcome = await transact<string>({
      ...accountParts(userOf(row), row.passwordHash ?? passwords.hashOfNone, {
        evenIfClosed: true,
        event: false,
      }),
      ...(newPosts && newPostsParts(userId, true)),
      ...identities.importedParts(
        userId,
        linked.map(({ ref, ...item }) => ({ identityId: ref, ...item })),
      ),
      twoFactor: twoFactor && create(key.twoFactor(userId), twoFactor),
      // Deleted since a run that was killed.
      erased: check(key.erased(userId), { if: "attribute_not_exists(pk)" }),
    });
    if (outcome.done || outcome.failed.user || outcome.failed.erased) return;
    this.#tell("account", row.email, "cannot come in: its address, username or sign-in is in use here");
  }

  async #addHeld(row: OwnRows["held"]): Promise<void> {
    // An earlier run has written it.
    if (await findHeld(row.ref)) return;
    const outcome = await hold(heldOf(row));
    if (outcome !== "held") this.#tell("author", row.ref, "waits for the team and cannot come in");
  }

  async #addSite(given: OwnRows["site"]): Promise<void> {
    const { kind: _, owner: ownerId, ...settings } = this.#order.withCredentials ? given : withoutSecrets(given);
    const outcome = await transact<string>({
      site: create(key.site(), { ownerId, ...settings }),
      owner: setFields(key.user(ownerId), { role: "owner" }),
      ...gateParts(gateMarks(settings)),
    });
    if (outcome.done) return;
    if ((await site.find())?.ownerId !== ownerId)
      throw new Error("The site got another owner meanwhile: it is not empty");
  }
}

/** Something that waits, as it is stored. */
function heldOf({ ref: id, what, author: userId, reasons, title, body, board, onPost, parent }: OwnRows["held"]): Held {
  const common = { id, userId, reasons };
  return what === "post"
    ? { ...common, kind: "post", title: title ?? "", contentMarkdown: body, boardId: board }
    : { ...common, kind: "comment", postId: onPost ?? "", body: body ?? "", parentId: parent };
}

/** Whether posts ask if it is here. */
function isOfCatalogue(piece: Piece | undefined): boolean {
  return piece?.kind === "board" || piece?.kind === "roadmap" || piece?.kind === "tag";
}

function rowsIn(piece: Piece): number {
  if (piece.kind !== "whole post") return 1;
  const { votes, comments, changes, follows, merged } = piece.post;
  const ofMerged = merged.map((each) => 1 + each.moved.length + each.changes.length + each.follows.length);
  const own = 1 + votes.length + comments.length + changes.length + follows.length;
  return ofMerged.reduce((sum, count) => sum + count, own);
}

function withoutSecrets<R extends object>(row: R): R {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !secretFields.has(field))) as R;
}

function statusOf({ ref, name, color, category, archived, since }: OwnRows["status"]) {
  const at = since === undefined ? {} : { since: Date.parse(since) };
  return { statusId: ref, name, color, kind: category, ...(archived && { archived }), ...at };
}

function userOf(row: OwnRows["account"]): users.UserRecord {
  const { ref: userId, email, name, username, blocked, role, confirmed, mail, newPosts, twoFactor, identities } = row;
  const { language, accepted } = row;
  return {
    userId,
    email,
    name,
    username,
    role: blocked ? "suspended" : (role ?? "member"),
    tokenVersion: 1,
    ...(confirmed && { isVerified: true }),
    language,
    mail,
    newPosts,
    ...(accepted && { accepted }),
    ...(identities && { identities: identities.map(({ ref }) => ref) }),
    ...(twoFactor && { twoFactor: true as const }),
  };
}
