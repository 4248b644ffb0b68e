import * as z from "zod/mini";
import { eventParts } from "../events/events.ts";
import { setFields, stillHas } from "../table/changes.ts";
import { idIn, key, prefix } from "../table/keys.ts";
import { type Condition, create, type Part, remove, update } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getFirst, getMany, getRange } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";
import { NIL, newId } from "../values/ids.ts";
import * as apiKeys from "./api-keys.ts";
import { GateMarks, passing } from "./gate.ts";
import * as identities from "./identities.ts";
import { mailPart } from "./outbox.ts";
import { personKeys, personParts } from "./people.ts";
import { StoredPreferences } from "./preferences.ts";

/** A user's role in the site. Its permissions: lib/auth/permissions.ts. */
export const Role = z.enum(["owner", "moderator", "member", "suspended"]);
export type Role = z.infer<typeof Role>;

export type Person = { userId: string; name: string; username: string; role?: Role | undefined };

/** The roles that are shown with a name: a name alone never makes anybody look like the owner or a moderator. */
export const ShownRole = z.enum(["owner", "moderator"]);

export const ShownItem = z.object({
  userId: z.string(),
  name: z.string(),
  username: z.string(),
  role: z.optional(ShownRole),
});

/** A user as stored in each of their posts and votes; `role` of the owner and of moderators. */
export type Shown = z.infer<typeof ShownItem>;

/** What posts, comments and votes store of an account. */
export function shownOf({ userId, name, username, role }: Person): Shown {
  return { userId, name, username, ...((role === "owner" || role === "moderator") && { role }) };
}

export function isSameShown(a: Shown, b: Shown): boolean {
  return a.userId === b.userId && a.name === b.name && a.username === b.username && a.role === b.role;
}

/** What is shown in place of an account that was erased. Each vote of such accounts has an id of its own. */
export const NOBODY = { userId: NIL, name: "Deleted user", username: "deleted" } as const satisfies Shown;

export const UserItem = z.pipe(
  z.object({
    pk: z.string(),
    name: z.string(),
    username: z.string(),
    email: z.string(),
    role: Role,
    // A token of a session holds it: a new one ends all sessions.
    tokenVersion: z.number(),
    // Whether the e-mail address is confirmed.
    isVerified: z.optional(z.boolean()),
    // When the owner invited its holder last, in milliseconds since 1970.
    invitedAt: z.optional(z.number()),
    // The address that it waits for, and until when, in seconds since 1970: new-address.ts.
    newEmail: z.optional(z.object({ address: z.string(), endsAt: z.number() })),
    // Which notifications it gets; absent until the first choice.
    mail: z.optional(StoredPreferences),
    // Whether it gets mails about new posts; absent until the first choice.
    newPosts: z.optional(z.boolean()),
    // The number of API keys; absent until the first.
    apiKeys: z.optional(z.number()),
    // The ids of the identities that sign in to it; absent until the first.
    identities: z.optional(z.array(z.string())),
    // How many of its posts and comments are held for the team; absent until the first.
    held: z.optional(z.number()),
    // Whether the team has approved something that was held.
    accepted: z.optional(z.literal(true)),
    // Whether a sign-in asks for a second factor: two-factor.ts.
    twoFactor: z.optional(z.literal(true)),
  }),
  z.transform(({ pk, ...user }) => ({ userId: idIn(pk), ...user })),
);

export type UserRecord = z.output<typeof UserItem>;

export function find(userId: string): Promise<UserRecord | undefined> {
  return get(key.user(userId), UserItem);
}

/** Reads accounts, in no order; one that is gone is left out. */
export function findAll(userIds: string[]): Promise<UserRecord[]> {
  return getMany([...new Set(userIds)].map(key.user), UserItem);
}

/** An account with the ids of its API keys, which end together with its role or its password. */
export type UserWithKeys = UserRecord & { keyIds: string[] };

/** An account with the ids of its API keys. */
export async function findWithKeys(userId: string): Promise<UserWithKeys | undefined> {
  const [user, keyIds] = await Promise.all([find(userId), apiKeys.idsOf(userId)]);
  return user && { ...user, keyIds };
}

const Claim = z.object({ userId: z.string() });

/** The id of the account with an address (in lower case). */
export async function idOf(email: string): Promise<string | undefined> {
  return (await get(key.email(email), Claim))?.userId;
}

export async function findByEmail(email: string): Promise<UserRecord | undefined> {
  const userId = await idOf(email);
  return userId === undefined ? undefined : find(userId);
}

/**
 * What a password is verified against. The token version is stored here too, so that a login reads it together with the
 * password that it belongs to, even while the password is being reset. Items of the first version lack it.
 */
export const CredentialsItem = z.object({ passwordHash: z.string(), tokenVersion: z._default(z.number(), 1) });

/** What the password of an account is verified against. */
export async function passwordHashOf(userId: string): Promise<string | undefined> {
  return (await get(key.credentials(userId), CredentialsItem))?.passwordHash;
}

/** Reads an account by its address, with its credentials; undefined if there is none, after as many reads. */
export async function findForLogin(email: string) {
  const userId = (await idOf(email)) ?? NIL;
  const [user, credentials] = await Promise.all([find(userId), get(key.credentials(userId), CredentialsItem)]);
  return user && credentials && { user, credentials };
}

/** Stores a new hash of the same password, unless the password was changed meanwhile. */
export async function rehash(userId: string, asRead: string, passwordHash: string): Promise<void> {
  await transact({
    credentials: setFields(key.credentials(userId), { passwordHash }, stillHas({ passwordHash: asRead })),
  });
}

/**
 * Which mail is sent (none), whether signup may be closed (no), how the person signs up (by a password), who creates
 * the account (itself), and whether there is an event (yes).
 */
export type AccountOptions = {
  mail?: "welcome" | "invitation" | false | undefined;
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
  { mail = false, evenIfClosed = false, way = "password", by = userId, event = true }: AccountOptions = {},
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
    mail: mail && mailPart({ to: user.email, userId, template: mail }),
    ...(event && eventParts({ type: "user.created", userId, by }, userId)),
  } satisfies Record<string, Part | false>;
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

export const CountItem = z.extend(GateMarks, { count: z._default(z.number(), 0) });

/** The number of accounts. It is kept in sixteen counters, so that signups do not wait for one item. */
export async function count(): Promise<number> {
  return (await getRange(range.userCounts(), CountItem)).reduce((sum, { count }) => sum + count, 0);
}

/** The ids of up to `size` accounts after one of them, by the time of their creation. */
export async function idsAfter(after: string | undefined, order: "asc" | "desc", size: number): Promise<string[]> {
  const descending = order === "desc";
  const bounds = descending ? { to: after } : { from: after };
  // One more, because the bounds include the account `after`.
  const { items } = await getFirst(range.userRows(bounds), z.object({ sk: z.string() }), size + 1, { descending });
  const ids = items.map(({ sk }) => sk).filter((id) => id !== after);
  return ids.slice(0, size);
}

/** An account with the number of its posts and votes. A vote on a deleted post counts until the sweeper has passed. */
export type ActiveUser = UserRecord & { posts: number; votes: number };

const ActivityItem = z.object({ sk: z.string().check(z.regex(/^(POST|VOTE)#/)) });

function activityOrUserItem(sk: string): typeof ActivityItem | typeof UserItem {
  return sk === "USER" ? UserItem : ActivityItem;
}

async function findActive(userId: string): Promise<ActiveUser | undefined> {
  const items = await getRange(range.userTrail(userId, prefix.post), activityOrUserItem);
  const user = items.find((item) => "email" in item);
  const count = (kind: string): number => items.filter((item) => "sk" in item && item.sk.startsWith(kind)).length;
  return user && { ...user, posts: count(prefix.post), votes: count(prefix.vote) };
}

/**
 * Reads accounts with their activity, in the order of the given ids; one that does not parse is left out. One Query an
 * account: it reads the items that it counts, so that nothing has to be counted when a post or a vote is written.
 */
export async function findAllActive(userIds: string[]): Promise<ActiveUser[]> {
  return (await Promise.all(userIds.map(findActive))).filter((user) => user !== undefined);
}

/** What a change of role needs of an account as it was read. */
type Ranked = Pick<UserWithKeys, "userId" | "role" | "tokenVersion" | "keyIds">;

/**
 * Changes the role of an account as it was read, ends its API keys, which were made for the role before, and adds the
 * job that writes it into posts and votes (renames.ts); the owner's cannot be changed. With `endsSessions` its sessions
 * end too. "changed meanwhile" asks the caller to read again.
 */
export async function changeRole(
  account: Ranked,
  role: Role,
  { endsSessions = false } = {},
): Promise<"changed" | "is the owner" | "changed meanwhile"> {
  if (account.role === "owner") return "is the owner";
  const outcome = await transact<string>(roleParts(account, role, endsSessions));
  return outcome.done ? "changed" : "changed meanwhile";
}

/** The parts that change a role: see `changeRole`. */
export function roleParts(
  { userId, role: before, tokenVersion, keyIds }: Ranked,
  role: Role,
  endsSessions: boolean,
): Record<string, Part> {
  const ending = apiKeys.endingAll({ userId, keyIds });
  const next = endsSessions ? tokenVersion + 1 : tokenVersion;
  return {
    user: update(key.user(userId), `SET #role = :role, tokenVersion = :next, ${ending.set}`, {
      if: `#role = :asRead AND tokenVersion = :version AND ${ending.if}`,
      names: { "#role": "role" },
      values: { ":role": role, ":asRead": before, ":next": next, ":version": tokenVersion, ...ending.values },
    }),
    ...(endsSessions && { credentials: setFields(key.credentials(userId), { tokenVersion: next }) }),
    job: create(key.rename(newId()), { userId }),
    ...ending.parts,
  };
}

/** Ends all sessions of an account by a new token version, which the credentials store too: see `CredentialsItem`. */
export async function endSessions({ userId, tokenVersion }: UserRecord, next = tokenVersion + 1): Promise<void> {
  // If the version is another one by now, another call has ended these sessions.
  await transact({
    user: setFields(key.user(userId), { tokenVersion: next }, stillHas({ tokenVersion })),
    credentials: setFields(key.credentials(userId), { tokenVersion: next }),
  });
}

/** An account with an unconfirmed address, as `renewalParts` leave it. */
export function renewed<User extends UserRecord>(account: User): User {
  return { ...account, tokenVersion: account.tokenVersion + 1, isVerified: true, twoFactor: undefined };
}

/** What an account keeps when it is given to who reads the mails to its address, and the identity that it gets. */
type Renewal = { keepKeys?: boolean | undefined; identity?: identities.Identity };

/**
 * The parts that give an account, as it was read, to who reads the mails to its address: they set what a password is
 * verified against, confirm the address, end all sessions by a new token version, all API keys or none, and all
 * identities; a confirmed account that keeps its keys keeps its identities too. Of an unconfirmed account they end the
 * second factor, which may be a stranger's. They fail if the address was confirmed meanwhile: a confirmed account may
 * have more to keep.
 */
export function renewalParts(
  account: UserWithKeys,
  passwordHash: string,
  { keepKeys = false, identity }: Renewal = {},
): Record<string, Part> {
  const { userId, tokenVersion, email, isVerified, twoFactor } = account;
  const next = tokenVersion + 1;
  const ending = apiKeys.endingAll(account, keepKeys);
  const endsTwoFactor = twoFactor === true && !isVerified;
  const keepsIdentities = keepKeys && isVerified === true;
  const linked = identities.replacing(account, keepsIdentities ? "keep" : identity);
  const asRead = stillHas({ tokenVersion, email, isVerified, identities: account.identities });
  const removed = [...linked.removed, ...(endsTwoFactor ? ["twoFactor"] : [])];
  const set = `SET tokenVersion = :next, isVerified = :true, ${ending.set}${linked.set}`;
  return {
    user: update(key.user(userId), removed.length > 0 ? `${set} REMOVE ${removed.join(", ")}` : set, {
      ...asRead,
      if: `${asRead.if} AND ${ending.if}`,
      values: { ":next": next, ":true": true, ...asRead.values, ...ending.values, ...linked.values },
    }),
    // The credentials store the version too: see `CredentialsItem`.
    credentials: setFields(key.credentials(userId), { passwordHash, tokenVersion: next }),
    ...ending.parts,
    ...linked.parts,
    ...(endsTwoFactor && { twoFactor: remove(key.twoFactor(userId)) }),
  };
}

/** Mails an invitation once more to who may have an account, as it was read. */
export async function inviteAgain({ userId, email, isVerified }: UserRecord): Promise<"invited" | "changed meanwhile"> {
  const outcome = await transact({
    user: setFields(key.user(userId), { invitedAt: Date.now() }, stillHas({ email, isVerified })),
    mail: mailPart({ to: email, userId, template: "invitation" }),
  });
  return outcome.done ? "invited" : "changed meanwhile";
}

/**
 * Changes the name of an account as it was read, and adds the job that writes it into posts and votes (renames.ts). The
 * username stays. "changed meanwhile" asks the caller to read again.
 */
export async function rename(
  { userId, name: before, email }: Pick<UserRecord, "userId" | "name" | "email">,
  name: string,
): Promise<"renamed" | "changed meanwhile"> {
  const outcome = await transact({
    // Name and address share the rows by which the account is found.
    user: setFields(key.user(userId), { name }, stillHas({ name: before, email })),
    job: create(key.rename(newId()), { userId }),
    ...personParts(userId, { name: before, email }, { name, email }),
  });
  return outcome.done ? "renamed" : "changed meanwhile";
}
