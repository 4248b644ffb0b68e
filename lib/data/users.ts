import * as z from "zod";
import { newId } from "../values/ids.ts";
import { idIn, key, range } from "./keys.ts";
import { mailPart } from "./outbox.ts";
import { create, type Part, update } from "./parts.ts";
import { get, getMany, getRange, pagesOf } from "./reads.ts";
import { transact } from "./transactions.ts";

/** A user's role in the site; what each may do: lib/auth/permissions.ts. */
export const Role = z.enum(["owner", "moderator", "member", "suspended"]);
export type Role = z.infer<typeof Role>;

/** The name under which somebody writes and votes, as it is kept beside each post and vote. */
export type Person = { userId: string; name: string; username: string };

/** An account. */
export type UserRecord = Person & {
  email: string;
  role: Role;
  tokenVersion: number;
  /** Whether a token that went to the address came back. */
  isVerified?: boolean | undefined;
};

/** An account as it lies in the table. */
export const UserItem = z
  .object({
    pk: z.string(),
    name: z.string(),
    username: z.string(),
    email: z.string(),
    role: Role,
    tokenVersion: z.number(),
    isVerified: z.boolean().optional(),
  })
  .transform(({ pk, ...user }): UserRecord => ({ userId: idIn(pk), ...user }));

/** Reads an account; undefined when there is none. */
export const find = (userId: string): Promise<UserRecord | undefined> => get(key.user(userId), UserItem);

const Claim = z.object({ userId: z.string() });

/** The id of the account that has an e-mail address; undefined when none has it. */
export const idOf = async (email: string): Promise<string | undefined> => (await get(key.email(email), Claim))?.userId;

/**
 * What a password is verified against. The token version stands here too: a password and the version of the tokens that it gives
 * are read as one, whatever a password reset does in the meantime.
 */
export type Credentials = { passwordHash: string; tokenVersion: number };

/** Credentials as stored; accounts of the first version have no token version there. */
export const CredentialsItem = z.object({ passwordHash: z.string(), tokenVersion: z.number().default(1) });

// Names no account.
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Reads an account by its address, with its credentials; undefined when there is none, after the same reads. */
export const findForLogin = async (
  email: string,
): Promise<{ user: UserRecord; credentials: Credentials } | undefined> => {
  const userId = (await idOf(email)) ?? NOBODY;
  const [user, credentials] = await Promise.all([find(userId), get(key.credentials(userId), CredentialsItem)]);
  return user && credentials && { user, credentials };
};

/** Stores the same password under another hash, unless it was changed meanwhile. */
export const rehash = async (userId: string, asRead: string, passwordHash: string): Promise<void> => {
  await transact({
    credentials: update(key.credentials(userId), "SET passwordHash = :new", {
      if: "passwordHash = :asRead",
      values: { ":new": passwordHash, ":asRead": asRead },
    }),
  });
};

/** What may differ when an account is made: without `welcome` no mail goes out. */
export type AccountOptions = { welcome?: boolean };

/** Part: counts a new account, unless the site takes none; see `gateParts`. */
const countPart = (userId: string): Part =>
  update(key.userCount(userId), "ADD #count :one", {
    if: "attribute_not_exists(closed)",
    names: { "#count": "count" },
    values: { ":one": 1 },
  });

/**
 * The parts that open or close signup. Every signup writes one of the numbers of accounts anyway: a mark on all of them refuses it
 * in its own transaction, without a read and at the very moment.
 */
export const gateParts = (isOpen: boolean): Record<string, Part> =>
  Object.fromEntries(
    [...DIGITS].map((digit) => [
      `gate ${digit}`,
      update(
        key.userCount(digit),
        isOpen ? "REMOVE closed" : "SET closed = :true",
        isOpen ? {} : { values: { ":true": true } },
      ),
    ]),
  );

const DIGITS = "0123456789abcdef";

/** The parts of the transaction that makes an account, with its welcome mail. */
export const accountParts = (
  { userId, ...user }: UserRecord,
  passwordHash: string,
  { welcome = true }: AccountOptions = {},
) =>
  ({
    user: create(key.user(userId), user),
    userRow: create(key.userRow(userId)),
    userCount: countPart(userId),
    credentials: create(key.credentials(userId), { passwordHash, tokenVersion: user.tokenVersion }),
    email: create(key.email(user.email), { userId }),
    username: create(key.username(user.username), { userId }),
    mail: welcome && mailPart({ to: user.email, template: "welcome" }),
  }) satisfies Record<string, Part | false>;

/** Makes an account, or says which of its two unique names another account has. */
export const register = async (
  user: UserRecord,
  passwordHash: string,
  options?: AccountOptions,
): Promise<"registered" | "signup closed" | "email taken" | "username taken"> => {
  const outcome = await transact(accountParts(user, passwordHash, options));
  if (outcome.done) return "registered";
  if (outcome.failed.userCount) return "signup closed";
  return outcome.failed.email ? "email taken" : "username taken";
};

/** A part of the number of accounts as stored. */
export const CountItem = z.object({ count: z.number().default(0), closed: z.literal(true).optional() });

/** The number of accounts. It is kept in sixteen parts, so that signups do not queue up for one item. */
export const count = async (): Promise<number> =>
  (await getRange(range.userCounts(), CountItem)).reduce((sum, { count }) => sum + count, 0);

const RowItem = z.object({ sk: z.string() }).transform(({ sk }) => sk);

/** The ids of up to `size` accounts after one of them, in the order in which they were made or the other way round. */
export const idsAfter = async (after: string | undefined, order: "asc" | "desc", size: number): Promise<string[]> => {
  const descending = order === "desc";
  const stretch = after === undefined ? {} : descending ? { to: after } : { from: after };
  const ids: string[] = [];
  // One more than is wanted: a stretch holds the account that it begins at.
  for await (const page of pagesOf(range.userRows(stretch), RowItem, { descending, pageSize: size + 1 })) {
    ids.push(...page.filter((id) => id !== after));
    if (ids.length >= size) break;
  }
  return ids.slice(0, size);
};

/** Reads up to 100 accounts, in the order of their ids; one that does not parse is left out. */
export const findAll = async (userIds: string[]): Promise<UserRecord[]> => {
  const found = new Map((await getMany(userIds.map(key.user), UserItem)).map((user) => [user.userId, user]));
  return userIds.map((userId) => found.get(userId)).filter((user) => user !== undefined);
};

/** Gives an account another role; the owner's stays. */
export const changeRole = async (userId: string, role: Role): Promise<"changed" | "no such user" | "is the owner"> => {
  const outcome = await transact({
    user: update(key.user(userId), "SET #role = :role", {
      if: "attribute_exists(pk) AND #role <> :owner",
      names: { "#role": "role" },
      values: { ":role": role, ":owner": "owner" satisfies Role },
    }),
  });
  if (outcome.done) return "changed";
  return outcome.failed.user === "no item" ? "no such user" : "is the owner";
};

/** Changes the name of an account, and leaves its posts and votes to the function `rewrite-names`; the username stays. */
export const rename = async (userId: string, name: string, jobId = newId()): Promise<"renamed" | "no such user"> => {
  const outcome = await transact({
    user: update(key.user(userId), "SET #name = :name", {
      if: "attribute_exists(pk)",
      names: { "#name": "name" },
      values: { ":name": name },
    }),
    job: create(key.rename(jobId), { userId, name }),
  });
  return outcome.done ? "renamed" : "no such user";
};
