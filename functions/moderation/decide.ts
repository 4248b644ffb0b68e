import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { type Permission, requirePermissions } from "../../lib/auth/permissions.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import type { Trace } from "../../lib/http/answers.ts";
import type { NextRecord } from "../../lib/http/auditing.ts";
import type { Caller } from "../../lib/http/callers.ts";
import { Uuid } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { SMALL_CALL, withBackground } from "../../lib/http/rate-limits.ts";
import type { CommentRecord } from "../../lib/posts/comments.ts";
import { approve, decline, declineAllOf } from "../../lib/posts/deciding.ts";
import * as reports from "../../lib/posts/deciding-reports.ts";
import { entryOf, findAllWaiting, type Held, isReported, MOST_HELD, type Waiting } from "../../lib/posts/held.ts";
import type { Named, Reported } from "../../lib/posts/reports.ts";
import * as log from "../../lib/runtime/log.ts";
import { replanned } from "../../lib/table/retries.ts";

/** The most decisions of a call: as many as a page of the queue has. */
const MOST = 20;

const Ids = z.array(Uuid).check(
  z.minLength(1),
  z.maxLength(MOST),
  z.refine((ids) => new Set(ids).size === ids.length, "Must name an id once"),
);

const Entries = optional(z.array(Uuid).check(z.minLength(1), z.maxLength(MOST)));

const body = z.object({ decision: z.enum(["approve", "decline", "suspend"]), ids: Ids, entries: Entries });
type Decision = z.output<typeof body>["decision"];

const outcomes = ["approved", "declined", "kept", "removed", "suspended", "already_decided", "gone"] as const;
type Outcome = (typeof outcomes)[number];

/** Suspends an author who is a member still; returns whether the account is suspended. */
async function suspend(userId: string): Promise<boolean> {
  const read = () => users.findWithKeys(userId);
  return replanned(await read(), read, async (user) => {
    if (user?.role !== "member") return user?.role === "suspended";
    return (await users.changeRole(user, "suspended")) === "changed" ? true : "changed meanwhile";
  });
}

/**
 * A decision of the team: what, on which things, by whom, and what the audit log is told of whose thing it is.
 * `suspended`: the authors whom it has suspended so far. `further`: how many of their other texts it has declined.
 */
type Deciding = {
  decision: Decision;
  ids: string[];
  by: string;
  addTrace: (more: Trace) => void;
  nextRecord: (more: NextRecord) => void;
  suspended: Set<string>;
  further: number;
};

/** Of what a decision is, for the audit log: a post, or a comment as `<post>/<comment>`; and whose it is. */
type Subject = { item: string; account: string | undefined };

function subjectOf({ id, postId = id }: { id: string; postId?: string }, account: string | undefined): Subject {
  return { item: postId === id ? id : `${postId}/${id}`, account };
}

/** A held thing by the name that it has once others have approved it. */
function nameOf(held: Held): Named {
  return { id: held.id, what: held.kind, postId: held.kind === "comment" ? held.postId : held.id };
}

function placeOf({ commentId: id, postId }: CommentRecord): { id: string; postId: string } {
  return { id, postId };
}

/** Declines what else of a suspended author waits; in a call as many texts as one account can have. */
async function declineFurther(deciding: Deciding, account: string): Promise<void> {
  const most = MOST_HELD - deciding.further;
  if (most === 0) return;
  deciding.nextRecord({ item: account, account, to: "decline" });
  deciding.further += await declineAllOf(account, most, deciding.ids);
}

/**
 * Suspends the author of something, if that is decided: a change of a role, with its own record in the audit log. Then
 * it declines what else of theirs waits. The thing itself comes last: while it waits, a call that failed can be
 * repeated, and does what is left.
 */
async function suspendFor(deciding: Deciding, { item, account }: Subject): Promise<boolean> {
  const { decision, nextRecord, suspended } = deciding;
  if (decision !== "suspend" || account === undefined) return false;
  if (suspended.has(account)) return true;
  nextRecord({ action: "user.role_changed", item, account, to: "suspended" });
  if (!(await suspend(account))) return false;
  suspended.add(account);
  // The line of the request has room for one account: docs/operations.md repeats suspensions after a restore.
  log.info("suspended", { account, to: "suspended" });
  await declineFurther(deciding, account);
  return true;
}

/**
 * The outcome for a thing that was withdrawn or decided while its author was suspended: nothing is left to do if it is
 * gone, and what others let in or keep stays.
 */
async function outcomeWhenLate(thing: Named): Promise<Outcome> {
  return (await reports.thingOf(thing)) ? "already_decided" : "suspended";
}

/** Carries a decision out. */
async function decideHeld(held: Held, deciding: Deciding): Promise<Outcome> {
  const { decision, by, addTrace, nextRecord } = deciding;
  const subject = subjectOf(held, held.userId);
  const isSuspended = await suspendFor(deciding, subject);
  if (decision === "approve") {
    nextRecord({ ...subject, to: "approve" });
    const onPlace = (postId: string) => addTrace(subjectOf({ id: held.id, postId }, held.userId));
    const outcome = await approve(held, by, onPlace);
    if (outcome !== "gone") return outcome;
  }
  // Also what cannot be created: its post or its author is gone.
  nextRecord({ ...subject, to: "decline" });
  const outcome = await decline(held);
  if (isSuspended) return outcome === "declined" ? "suspended" : outcomeWhenLate(nameOf(held));
  return outcome === "declined" && decision === "approve" ? "gone" : outcome;
}

/** The same of what was reported: to approve it is to keep it, to decline it is to delete it, as the records say. */
async function decideReported(reported: Reported, deciding: Deciding): Promise<Outcome> {
  const { decision, by, nextRecord } = deciding;
  const thing = await reports.thingOf(reported);
  // A merge may have moved a comment.
  const subject = subjectOf(thing?.what === "comment" ? placeOf(thing.comment) : reported, reports.authorOf(thing));
  const isSuspended = await suspendFor(deciding, subject);
  const stays = decision === "approve" || (thing?.what === "post" && thing.isMerged);
  nextRecord({ ...subject, to: stays ? "keep" : "remove" });
  if (decision === "approve") return reports.keep(reported);
  const outcome = await reports.removeReported(reported, thing, by);
  if (!isSuspended) return outcome;
  return outcome === "already_decided" ? outcomeWhenLate(reported) : "suspended";
}

/** Reads what is to be decided: of what has come back since, nothing, if the caller names the entries that they saw. */
async function findAsSeen(ids: string[], entries: string[] | undefined): Promise<Waiting[]> {
  const found = await findAllWaiting(ids);
  return entries ? found.filter((waiting) => entries.includes(entryOf(waiting))) : found;
}

function carryOut(waiting: Waiting | undefined, deciding: Deciding): Promise<Outcome> | Outcome {
  if (!waiting) return "already_decided";
  return isReported(waiting) ? decideReported(waiting, deciding) : decideHeld(waiting, deciding);
}

/** What a caller must be allowed besides, to remove what was reported. */
function neededFor(waiting: Waiting, decision: Decision): Permission | undefined {
  if (!isReported(waiting) || decision === "approve") return undefined;
  return waiting.what === "post" ? "post:destroy" : "comment:delete:any";
}

function requireAll(caller: Caller, found: Waiting[], decision: Decision): void {
  requirePermissions(caller, ...found.map((waiting) => neededFor(waiting, decision)));
}

/**
 * Decides held and reported posts and comments, at most twenty at a time. `approve` creates a held one as if it were
 * new, under the id that it has: with its events, mails and webhooks. `decline` removes it, and nobody is told. Of a
 * reported one `approve` dismisses the reports (`kept`), and `decline` deletes it (`removed`), as its author could.
 * `suspend` also suspends its author, for which the caller must be allowed to change roles, and declines what else of
 * the author is held: `further` texts, twenty at most in a call. What of several authors is more than these waits, and
 * to suspend the author of one of them declines the others. If such a call breaks off, repeat it: what it named waits
 * until the others are declined. The first decision counts: a later one has the outcome `already_decided`, and a call
 * for one id alone gets ALREADY_DECIDED. So it is with a thing that was decided and came back, if the call names the
 * `entries` that its caller saw. If something is withdrawn or decided while its author is suspended for it, the call
 * succeeds: the outcome is `suspended` if it is gone, `already_decided` if others let it in or keep it. `gone`: the
 * post of a comment was deleted, or the author, and so it was removed; or what was reported was deleted or merged
 * meanwhile.
 */
export const handler = defineEndpoint({
  name: "moderation-decide",
  route: "POST /moderation",
  permission: "post:moderate",
  permissionsOf: ({ body: { decision } }) => (decision === "suspend" ? ["user:write"] : []),
  request: z.object({ body }),
  response: z.object({
    results: z.array(z.object({ id: z.string(), outcome: z.enum(outcomes) })),
    further: z.number(),
  }),
  errors: ["ALREADY_DECIDED"],
  table: {
    HELD: ["get", "delete"],
    ACTIVITY: ["get", "put", "delete"],
    NOTES: ["get", "delete"],
    DELETED: ["put"],
    USER: ["get", "query", "put", "update", "delete"],
    API_KEYS: ["query", "delete"],
    RENAMES: ["put"],
    PEOPLE: ["put"],
    CATALOGUE: ["get", "query", "put", "update", "check"],
    POSTS: ["get", "put", "update", "delete"],
    MERGED: ["get"],
    LIST: ["put", "delete"],
    COUNTS: ["update"],
    ...NEW_EVENT,
  },
  // An approved post takes as much as a new one, and its place in the queue; a deletion as any small call.
  expectedWrites: ({ body: { decision, ids } }) =>
    ids.length * (decision === "approve" ? withBackground(32) : SMALL_CALL),
  audit: "held.decided",
  trace: ({ body: { decision } }) => ({ to: decision }),
  handle: async ({ body: { decision, ids, entries }, caller, fail, addTrace, nextRecord }) => {
    const found = await findAsSeen(ids, entries);
    requireAll(caller, found, decision);
    const waiting = new Map(found.map((each) => [each.id, each]));
    const told = { addTrace, nextRecord };
    const deciding: Deciding = { decision, ids, by: caller.userId, ...told, suspended: new Set(), further: 0 };
    const results: { id: string; outcome: Outcome }[] = [];
    for (const id of ids) results.push({ id, outcome: await carryOut(waiting.get(id), deciding) });
    const isInVain = results.length === 1 && results[0]?.outcome === "already_decided" && deciding.suspended.size === 0;
    if (isInVain) throw fail("ALREADY_DECIDED");
    return { results, further: deciding.further };
  },
});
