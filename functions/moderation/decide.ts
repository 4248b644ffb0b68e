import * as z from "zod/mini";
import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { NEW_EVENT } from "../../lib/events/events.ts";
import { Uuid } from "../../lib/http/id-inputs.ts";
import { withBackground } from "../../lib/http/rate-limits.ts";
import { approve, decline, type Outcome } from "../../lib/posts/deciding.ts";
import { findAll, type Held } from "../../lib/posts/held.ts";
import { replanned } from "../../lib/table/retries.ts";

/** The most decisions of a call: as many as a page of the queue has. */
const MOST = 20;

const Ids = z.array(Uuid).check(
  z.minLength(1),
  z.maxLength(MOST),
  z.refine((ids) => new Set(ids).size === ids.length, "Must name an id once"),
);

const body = z.object({ decision: z.enum(["approve", "decline", "suspend"]), ids: Ids });
type Decision = z.output<typeof body>["decision"];

const outcomes = ["approved", "declined", "suspended", "already_decided", "gone"] as const;
type Word = (typeof outcomes)[number];

function wordOf(outcome: Outcome): Word {
  return outcome === "decided before" ? "already_decided" : outcome;
}

/** Suspends an author who is a member still; returns whether the account is suspended. */
async function suspend(userId: string): Promise<boolean> {
  const read = () => users.findWithKeys(userId);
  return replanned(await read(), read, async (user) => {
    if (user?.role !== "member") return user?.role === "suspended";
    return (await users.changeRole(user, "suspended")) === "changed" ? true : "changed meanwhile";
  });
}

/** Carries a decision out. It suspends first: a call that failed and is repeated then finds the rest undone. */
async function carryOut(decision: Decision, held: Held, by: string): Promise<Word> {
  if (decision === "approve") return wordOf(await approve(held, by));
  const isSuspended = decision === "suspend" && (await suspend(held.userId));
  const word = wordOf(await decline(held));
  return word === "declined" && isSuspended ? "suspended" : word;
}

/**
 * Decides held posts and comments, at most twenty at a time. `approve` creates the post or comment as if it were new,
 * under the id that it has: with its events, mails and webhooks. `decline` removes it, and nobody is told; `suspend`
 * also suspends its author, for which the caller must be allowed to change roles. The first decision counts: a later
 * one has the outcome `already_decided`, and a call for one id alone gets ALREADY_DECIDED. `gone`: the post of a
 * comment was deleted, or the author, and so it was removed.
 */
export const handler = defineEndpoint({
  name: "moderation-decide",
  route: "POST /moderation",
  permission: "post:moderate",
  permissionsOf: ({ body: { decision } }) => (decision === "suspend" ? ["user:write"] : []),
  request: z.object({ body }),
  response: z.object({ results: z.array(z.object({ id: z.string(), outcome: z.enum(outcomes) })) }),
  errors: ["ALREADY_DECIDED"],
  table: {
    HELD: ["get", "delete"],
    USER: ["get", "put", "update", "delete"],
    API_KEYS: ["query", "delete"],
    RENAMES: ["put"],
    CATALOGUE: ["get", "query", "update"],
    POSTS: ["get", "put", "update"],
    MERGED: ["get"],
    LIST: ["put"],
    COUNTS: ["update"],
    ACTIVITY: ["put"],
    ...NEW_EVENT,
  },
  // An approved post takes as much as a new one, and its place in the queue.
  expectedWrites: ({ body: { ids } }) => ids.length * withBackground(32),
  audit: "held.decided",
  trace: ({ body: { decision } }) => ({ to: decision }),
  handle: async ({ body: { decision, ids }, caller, fail, nextRecord }) => {
    const found = new Map((await findAll(ids)).map((held) => [held.id, held]));
    const results: { id: string; outcome: Word }[] = [];
    for (const id of ids) {
      const held = found.get(id);
      if (held) nextRecord({ item: id, account: held.userId });
      const outcome = held ? await carryOut(decision, held, caller.userId) : "already_decided";
      results.push({ id, outcome });
    }
    if (ids.length === 1 && results[0]?.outcome === "already_decided") throw fail("ALREADY_DECIDED");
    return { results };
  },
});
