import { eventParts } from "../events/events.ts";
import { key } from "../table/keys.ts";
import { type Condition, create, type MaybePart, type Part, remove, update } from "../table/parts.ts";
import { transact } from "../table/transactions.ts";
import { passing } from "./gate.ts";
import { mailPart } from "./outbox.ts";
import { groupParts, personKeys, personParts } from "./people.ts";
import type { UserRecord } from "./users.ts";

/**
 * Which mail is sent (none), what stands behind the token of its link (nothing), whether signup may be closed (no), how
 * the person signs up (by a password), who creates the account (itself), and whether there is an event (yes).
 */
export type AccountOptions = {
  mail?: "welcome" | "invitation" | false | undefined;
  query?: string | undefined;
  evenIfClosed?: boolean;
  way?: "password" | "other";
  by?: string;
  event?: boolean;
};

/**
 * The parts that create an account. `userCount` fails where the owner does not let it sign up, `email` and `username`
 * if they are taken.
 */
export function accountParts(
  { userId, ...user }: UserRecord,
  passwordHash: string,
  { mail = false, query, evenIfClosed = false, way = "password", by = userId, event = true }: AccountOptions = {},
) {
  const gate: Partial<Condition> = evenIfClosed ? {} : passing(user.email, way);
  return {
    user: create(key.user(userId), user),
    userRow: create(key.userRow(userId)),
    userCount: update(key.userCount(userId), "ADD #count :one", {
      ...gate,
      names: { ...gate.names, "#count": "count" },
      values: { ":one": 1 },
    }),
    credentials: create(key.credentials(userId), { passwordHash, tokenVersion: user.tokenVersion }),
    email: create(key.email(user.email), { userId }),
    username: create(key.username(user.username), { userId }),
    ...personParts(userId, undefined, user),
    ...groupParts(userId, "member", user.role),
    mail: mail && mailPart({ to: user.email, userId, template: mail, query, ...(mail === "invitation" && { by }) }),
    ...(event && eventParts({ type: "user.created", userId, by }, userId)),
  } satisfies Record<string, MaybePart>;
}

/** The parts that remove an account with what every account has, if it still is as `asRead` says. */
export function removalParts({ userId, ...user }: UserRecord, asRead: Condition) {
  const { email, username } = user;
  return {
    user: remove(key.user(userId), asRead),
    userRow: remove(key.userRow(userId)),
    userCount: update(key.userCount(userId), "ADD #count :one", {
      names: { "#count": "count" },
      values: { ":one": -1 },
    }),
    credentials: remove(key.credentials(userId)),
    email: remove(key.email(email)),
    username: remove(key.username(username)),
    ...Object.fromEntries(personKeys(userId, user).map((row, n) => [`row ${n}`, remove(row)])),
  } satisfies Record<string, Part>;
}

/** Creates an account. */
export async function register(
  user: UserRecord,
  passwordHash: string,
  options?: AccountOptions,
): Promise<"registered" | "signup closed" | "email taken" | "username taken"> {
  const outcome = await transact(accountParts(user, passwordHash, options));
  if (outcome.done) return "registered";
  if (outcome.failed.userCount) return "signup closed";
  return outcome.failed.email ? "email taken" : "username taken";
}
