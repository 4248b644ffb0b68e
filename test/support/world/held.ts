import { NOTHING_HELD, type Policy } from "../../../lib/accounts/moderation-policy.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as comments from "../../../lib/posts/comments.ts";
import { type Held, type HeldComment, type HeldPost, hold } from "../../../lib/posts/held.ts";
import * as reports from "../../../lib/posts/reports.ts";
import { setFields } from "../../../lib/table/changes.ts";
import { key } from "../../../lib/table/keys.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { newId } from "../../../lib/values/ids.ts";

/** Sets what a site holds for the team, since its beginning unless said otherwise. */
export async function setPolicy(policy: Partial<Policy>): Promise<void> {
  await transact({ site: setFields(key.site(), { moderation: { ...NOTHING_HELD, ...policy } }) });
}

async function held<H extends Held>(thing: H): Promise<H> {
  const outcome = await hold(thing);
  if (outcome !== "held") throw new Error(outcome);
  return thing;
}

/** A post that waits for the team. */
export function aHeldPost({ userId }: users.Person, fields: Partial<HeldPost> = {}): Promise<HeldPost> {
  return held({ id: newId(), kind: "post", userId, reasons: ["first"], title: "Quiet mode", ...fields });
}

/** A comment that waits for the team. */
export function aHeldComment(
  postId: string,
  { userId }: users.Person,
  fields: Partial<HeldComment> = {},
): Promise<HeldComment> {
  return held({ id: newId(), kind: "comment", userId, reasons: ["all"], postId, body: "Me as well.", ...fields });
}

/** How much of a person waits for the team, as their account counts it. */
export async function heldBy({ userId }: users.Person): Promise<number | undefined> {
  return (await users.find(userId))?.held;
}

async function reported(
  thing: reports.Reportable,
  { userId }: users.Person,
  reason: string | undefined,
): Promise<string> {
  const outcome = await reports.report(thing, await reports.find(thing.id), userId, reason);
  if (outcome !== "reported") throw new Error(outcome);
  return thing.id;
}

/** Reports a post; returns its id. */
export function aReport({ postId }: { postId: string }, by: users.Person, reason?: string): Promise<string> {
  return reported(reports.reportablePost(postId), by, reason);
}

/** Reports a comment; returns its id. */
export async function aCommentReport(
  place: { postId: string; commentId: string },
  by: users.Person,
  reason?: string,
): Promise<string> {
  const comment = await comments.findSeen(place, false);
  if (!comment) throw new Error("no such comment");
  return reported(reports.reportableComment(comment), by, reason);
}
