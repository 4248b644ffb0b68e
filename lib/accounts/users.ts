import * as z from "zod/mini";
import { differences, isEmpty, setFields, stillHas } from "../table/changes.ts";
import { idIn, key, personIn } from "../table/keys.ts";
import { create, type Part, update } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getFirst, getMany, getRange } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";
import { NIL, newId } from "../values/ids.ts";
import { LANGUAGES, type Language } from "../values/languages.ts";
import * as apiKeys from "./api-keys.ts";
import { GateMarks } from "./gate.ts";
import { mailPart } from "./outbox.ts";
import { groupParts, personParts, textOf } from "./people.ts";
import { StoredPreferences } from "./preferences.ts";
import { type Group, Role } from "./roles.ts";

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
    // Whether nobody has given it a name: others see a neutral one.
    isUnnamed: z.optional(z.literal(true)),
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
    // The language of the mails to it; the one of the site while it is absent.
    language: z.optional(z.enum(LANGUAGES)),
    // Which notifications it gets; absent until the first choice.
    mail: z.optional(StoredPreferences),
    // Whether it gets mails about new posts; absent until the first choice.
    newPosts: z.optional(z.boolean()),
    // Whether it gets the digest of the queue; absent until the first choice.
    digest: z.optional(z.boolean()),
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

export const CountItem = z.extend(GateMarks, { count: z._default(z.number(), 0) });

/** The number of accounts. It is kept in sixteen counters, so that signups do not wait for one item. */
export async function count(): Promise<number> {
  return (await getRange(range.userCounts(), CountItem)).reduce((sum, { count }) => sum + count, 0);
}

/** The ids of up to `size` accounts, of all or of a group, after one of them, by the time of their creation. */
export async function idsAfter(
  after: string | undefined,
  order: "asc" | "desc",
  size: number,
  group?: Group,
): Promise<string[]> {
  const descending = order === "desc";
  const bounds = descending ? { to: after } : { from: after };
  const rows = group ? range.personRows(textOf(group), bounds) : range.userRows(bounds);
  // One more, because the bounds include the account `after`.
  const { items } = await getFirst(rows, z.object({ sk: z.string() }), size + 1, { descending });
  const ids = items.map(({ sk }) => personIn(sk)).filter((id) => id !== after);
  return ids.slice(0, size);
}

/** Keeps the language of who signs in to an account, as it was read, that has none. */
export async function learnLanguage({ userId, tokenVersion }: UserRecord, language: Language): Promise<void> {
  const asRead = stillHas({ tokenVersion, language: undefined });
  // If it has one by now, that stays.
  await transact<string>({ user: setFields(key.user(userId), { language }, asRead) });
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
    ...groupParts(userId, before, role),
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

/** Mails an invitation of `by` once more to who may have an account, as it was read, from now on in the `language`. */
export async function inviteAgain(
  { userId, email, isVerified, language: before }: UserRecord,
  by: string,
  language = before,
): Promise<"invited" | "changed meanwhile"> {
  const fields = { invitedAt: Date.now(), ...(language && { language }) };
  const outcome = await transact({
    user: setFields(key.user(userId), fields, stillHas({ email, isVerified })),
    mail: mailPart({ to: email, userId, template: "invitation", by }),
  });
  return outcome.done ? "invited" : "changed meanwhile";
}

/** What the holder of an account can change of it. `language`: undefined for the one of the site. */
export type ProfileChange = { name?: string; language?: Language | undefined };

/**
 * Changes an account as it was read; only what differs is written. A name that its holder gives is their own, also if
 * it is the same. A new name comes with the job that writes it into posts and votes (renames.ts); the username stays.
 * "changed meanwhile" asks the caller to read again.
 */
export async function changeProfile(
  user: UserRecord,
  wanted: ProfileChange,
): Promise<UserRecord | "changed meanwhile"> {
  const { userId, name, email } = user;
  const isNamed = wanted.name !== undefined;
  const fields = differences<UserRecord>(user, { ...wanted, ...(isNamed && { isUnnamed: undefined }) });
  if (isEmpty(fields)) return user;
  const outcome = await transact<string>({
    // Name and address share the rows by which the account is found.
    user: setFields(key.user(userId), fields, stillHas({ name, email })),
    ...(fields.name !== undefined && {
      job: create(key.rename(newId()), { userId }),
      ...personParts(userId, { name, email }, { name: fields.name, email }),
    }),
  });
  return outcome.done ? { ...user, ...fields } : "changed meanwhile";
}
