import { gateMarks, gateParts } from "../../lib/accounts/gate.ts";
import * as identities from "../../lib/accounts/identities.ts";
import { accountParts } from "../../lib/accounts/new-users.ts";
import { groupParts } from "../../lib/accounts/people.ts";
import { teamParts } from "../../lib/accounts/preferences.ts";
import * as site from "../../lib/accounts/site.ts";
import type * as users from "../../lib/accounts/users.ts";
import * as passwords from "../../lib/auth/passwords.ts";
import * as boardOrder from "../../lib/catalogue/board-order.ts";
import * as boards from "../../lib/catalogue/boards.ts";
import * as roadmaps from "../../lib/catalogue/roadmaps.ts";
import * as statuses from "../../lib/catalogue/statuses.ts";
import * as tags from "../../lib/catalogue/tags.ts";
import type { Head, OwnRows } from "../../lib/moving/form.ts";
import { saveProgress } from "../../lib/moving/journal.ts";
import { secretFields } from "../../lib/moving/secret-fields.ts";
import type { Work } from "../../lib/moving/work.ts";
import { find as findHeld, type Held, hold } from "../../lib/posts/held.ts";
import { forEach } from "../../lib/runtime/for-each.ts";
import { setFields } from "../../lib/table/changes.ts";
import { key } from "../../lib/table/keys.ts";
import { check, create } from "../../lib/table/parts.ts";
import { transact } from "../../lib/table/transactions.ts";
import type { Input, Report } from "./formats/form.ts";
import { batchesOf, ownRowsIn, type Piece, piecesOf } from "./own-rows.ts";
import { Names } from "./people.ts";
import type { Progress } from "./progress.ts";
import { restorePost } from "./restore-post.ts";
import type { Restoring } from "./restore-records.ts";

/** What to restore, and under which name. */
export type RestoreOrder = { importId: string; source: string; input: Input; head: Head; withCredentials: boolean };

// After as many pieces progress is saved.
const BATCH = 16;
const AT_A_TIME = 8;

/** Writes the pieces of an export. */
export class Restore {
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
    const { ref: userId, newPosts, digest, identities: linked = [], twoFactor } = row;
    const outcome = await transact<string>({
      ...accountParts(userOf(row), row.passwordHash ?? passwords.hashOfNone, {
        evenIfClosed: true,
        event: false,
      }),
      ...teamParts(userId, { newPosts: newPosts || undefined, digest: digest || undefined }),
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
      ...groupParts(ownerId, "member", "owner"),
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
  const { ref: userId, email, name, unnamed, username, blocked, role, confirmed, mail, twoFactor, identities } = row;
  const { language, newPosts, digest, accepted } = row;
  return {
    userId,
    email,
    name,
    ...(unnamed && { isUnnamed: unnamed }),
    username,
    role: blocked ? "suspended" : (role ?? "member"),
    tokenVersion: 1,
    ...(confirmed && { isVerified: true }),
    language,
    mail,
    newPosts,
    digest,
    ...(accepted && { accepted }),
    ...(identities && { identities: identities.map(({ ref }) => ref) }),
    ...(twoFactor && { twoFactor: true as const }),
  };
}
