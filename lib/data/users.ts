import * as z from "zod";
import { Role } from "../permissions.ts";
import { idIn, key } from "./keys.ts";
import { mailPart } from "./outbox.ts";
import { create, get, type Part, transact } from "./table.ts";

/** The name under which somebody writes and votes, as it is kept beside each post and vote. */
export type Person = { userId: string; name: string; username: string };

/** An account. */
export type UserRecord = Person & { email: string; role: Role; tokenVersion: number };

/** An account as it lies in the table. */
export const UserItem = z
  .object({
    pk: z.string(),
    name: z.string(),
    username: z.string(),
    email: z.string(),
    role: Role,
    tokenVersion: z.number(),
  })
  .transform(({ pk, ...user }): UserRecord => ({ userId: idIn(pk), ...user }));

/** Reads an account; undefined when there is none. */
export const find = (userId: string): Promise<UserRecord | undefined> => get(key.user(userId), UserItem);

const Claim = z.object({ userId: z.string() });

/** The id of the account that has an e-mail address; undefined when none has it. */
export const idOf = async (email: string): Promise<string | undefined> => (await get(key.email(email), Claim))?.userId;

/** What may differ when an account is made: without `welcome` no mail goes out. */
export type AccountOptions = { welcome?: boolean };

/** The parts of the transaction that makes an account, with its welcome mail. */
export const accountParts = (
  { userId, ...user }: UserRecord,
  passwordHash: string,
  { welcome = true }: AccountOptions = {},
) =>
  ({
    user: create(key.user(userId), user),
    userRow: create(key.userRow(userId)),
    credentials: create(key.credentials(userId), { passwordHash }),
    email: create(key.email(user.email), { userId }),
    username: create(key.username(user.username), { userId }),
    mail: welcome && mailPart({ to: user.email, template: "welcome", data: { name: user.name } }),
  }) satisfies Record<string, Part | false>;

/** Makes an account, or says which of its two unique names another account has. */
export const register = async (
  user: UserRecord,
  passwordHash: string,
  options?: AccountOptions,
): Promise<"registered" | "email taken" | "username taken"> => {
  const outcome = await transact(accountParts(user, passwordHash, options));
  if (outcome.done) return "registered";
  return outcome.failed.email ? "email taken" : "username taken";
};
