import * as z from "zod/mini";
import { AUDIT_DAYS } from "../events/audit-days.ts";
import { EVENT_DAYS, eventParts, NEW_EVENT } from "../events/events.ts";
import type { TableAccess } from "../table/access.ts";
import { stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create, type Part, put, remove } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { get, getRange } from "../table/reads.ts";
import { changeStored } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import { DAY_MS } from "../values/days.ts";
import { newId } from "../values/ids.ts";
import { isNoAddress } from "../values/no-address.ts";
import * as apiKeys from "./api-keys.ts";
import * as identities from "./identities.ts";
import { removalParts } from "./new-users.ts";
import type { Mail } from "./outbox.ts";
import { NO_TEAM_MAILS, teamParts } from "./preferences.ts";
import { codeKey } from "./sign-in-mails.ts";
import { findWithKeys, type UserRecord, type UserWithKeys } from "./users.ts";

// An erasure ends an account in one transaction: its sign-in, address, names, API keys, second factor and identities.
// What it wrote is left to a job (lib/cleanup/erasures.ts). A record stays, so that the erasure can be repeated in a
// table that was restored from a backup.

/** What becomes of the votes of an erased account: they stay without a name, or are taken back. */
export const VotesOfErased = z.enum(["keep", "withdraw"]);
export type VotesOfErased = z.infer<typeof VotesOfErased>;

/** The record of an erasure: when, in milliseconds since 1970. */
export const ErasedItem = z.pipe(
  z.object({ sk: z.string(), at: z.number(), votes: VotesOfErased }),
  z.transform(({ sk, ...erased }) => ({ userId: sk, ...erased })),
);
export type Erased = z.output<typeof ErasedItem>;

/**
 * Parses a stored job: since when the account is gone, up to which event the job has come, and the last mail to the
 * person: it has the address, so the job drops it if it could not be sent by then.
 */
export const ErasureItem = z.object({
  at: z.number(),
  votes: VotesOfErased,
  after: z.optional(z.string()),
  lastMail: z.optional(z.string()),
});

/** What `begin` does to the table. */
export const TABLE = {
  USER: ["get", "delete"],
  USERS: ["delete"],
  USER_COUNT: ["update"],
  CREDENTIALS: ["delete"],
  EMAIL: ["delete"],
  USERNAME: ["delete"],
  PEOPLE: ["delete"],
  API_KEYS: ["query", "delete"],
  IDENTITY: ["delete"],
  TWO_FACTOR: ["delete"],
  UNSUBSCRIBE: ["delete"],
  SITE: ["delete"],
  SIGN_IN_CODE: ["delete"],
  ERASED: ["put"],
  ERASURES: ["put"],
  OUTBOX: ["put"],
  ...NEW_EVENT,
} as const satisfies TableAccess;

/**
 * For how many days something stays: the event of the deletion, the audit log and logs name the account by its id;
 * counters of rate limits have hashes of the address; backups have the account as it was.
 * docs/sign-in.md#deleting-an-account
 */
export const DAYS = { event: EVENT_DAYS, audit: AUDIT_DAYS, limits: 90, logs: 30, backups: 35 } as const;

/** When something of an account that is deleted at a moment (ms since 1970) is gone. */
export function endOf(what: keyof typeof DAYS, at: number): Date {
  return new Date(at + DAYS[what] * DAY_MS);
}

/** When only ids of the account are left: the logs, counters and backups with more of it are gone. */
export function goneAt(at: number): Date {
  const longest = Math.max(DAYS.limits, DAYS.logs, DAYS.backups);
  return new Date(at + longest * DAY_MS);
}

export async function isErased(userId: string): Promise<boolean> {
  return (await get(key.erased(userId), ErasedItem)) !== undefined;
}

/** All accounts that were erased. */
export function all(): Promise<Erased[]> {
  return getRange(range.erased(), ErasedItem);
}

/** `isTold`: whether the person is told by a last mail, if the address is confirmed. */
type How = { by: string; votes: VotesOfErased; isTold?: boolean };

/** Erases an account; undefined if there is none. The owner has to hand the site over before. */
export function erase(
  userId: string,
  asRead: UserWithKeys | undefined,
  how: How,
): Promise<Erased | "is the owner" | undefined> {
  return changeStored(
    asRead,
    () => findWithKeys(userId),
    (account) => begin(account, how),
  );
}

/** A mail that names no account: that is gone when it is sent. */
function lastMail({ email: to, language }: UserRecord): { id: string; part: Part } {
  const id = newId();
  return { id, part: create(key.mail(id), { to, template: "account-deleted", language } satisfies Omit<Mail, "sk">) };
}

async function begin(
  account: UserWithKeys,
  { by, votes, isTold = false }: How,
): Promise<Erased | "is the owner" | "changed meanwhile"> {
  const { userId, name, email, role, tokenVersion, isVerified } = account;
  if (role === "owner") return "is the owner";
  const at = Date.now();
  const mail = isTold && isVerified === true && !isNoAddress(email) ? lastMail(account) : undefined;
  const ending = apiKeys.endingAll(account);
  const asRead = stillHas({ name, email, role, tokenVersion, identities: account.identities });
  const { ":keys": keys } = ending.values;
  const outcome = await transact<string>({
    ...removalParts(account, {
      ...asRead,
      if: `${asRead.if} AND ${ending.if}`,
      values: { ...asRead.values, ":keys": keys },
    }),
    ...ending.parts,
    ...identities.replacing(account, undefined).parts,
    twoFactor: remove(key.twoFactor(userId)),
    enrolment: remove(key.enrolment(userId)),
    unsubscribe: remove(key.unsubscribe(userId)),
    ...teamParts(userId, NO_TEAM_MAILS),
    code: remove(codeKey(email)),
    erased: put(key.erased(userId), { at, votes }),
    job: create(key.erasure(userId), { at, votes, ...(mail && { lastMail: mail.id }) }),
    mail: mail?.part,
    ...eventParts({ type: "user.deleted", userId, by }),
  });
  return outcome.done ? { userId, at, votes } : "changed meanwhile";
}
