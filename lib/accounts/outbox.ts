import * as z from "zod/mini";
import { setFields, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import { create, type Part } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { getOrThrow, getRange } from "../table/reads.ts";
import { removeAlone } from "../table/single-writes.ts";
import { transact } from "../table/transactions.ts";
import { newId } from "../values/ids.ts";
import { LANGUAGES } from "../values/languages.ts";
import { isNoAddress } from "../values/no-address.ts";

const MaybeText = z.optional(z.string());

/** A mail to send. Its token is made when it is sent. */
export const Mail = z.object({
  sk: z.string(),
  to: z.string(),
  // The account that it is about.
  userId: MaybeText,
  template: z.enum([
    "welcome",
    "invitation",
    "verify",
    "reset",
    "new-key",
    "webhook-disabled",
    "export-ready",
    "new-address",
    "address-asked",
    "address-changed",
    "sign-in",
    "signed-in",
    "sign-in-linked",
    "two-factor-on",
    "two-factor-off",
    "recovery-used",
    "recovery-renewed",
    "password-changed",
    "password-set",
    "site-got",
    "site-given",
    "account-deleted",
  ]),
  // Where no account says it: the language of who asks for it, or of the account that is deleted.
  language: z.optional(z.enum(LANGUAGES)),
  // Whether the request came from a network that the account signed in from.
  isKnown: z.optional(z.boolean()),
  // Of a sign-in: the browser that asked for it or carried it out, and where it was asked for, as a hash.
  browser: MaybeText,
  askedFrom: MaybeText,
  // What stands behind the token of its link.
  query: MaybeText,
  // Of a linked sign-in: what the owner calls the provider; absent if it is of the owner's product.
  provider: MaybeText,
  // Of an invitation: the account of who invites. Of a new API key: its name.
  by: MaybeText,
  keyName: MaybeText,
});
export type Mail = z.infer<typeof Mail>;

/** Part: adds a mail to the outbox, unless no mail reaches its address; the table's stream hands it to `send-mail`. */
export function mailPart(mail: Omit<Mail, "sk">): Part | undefined {
  return isNoAddress(mail.to) ? undefined : create(key.mail(newId()), mail);
}

/** Leaves a mail to `send-mail`. */
export async function add(mail: Omit<Mail, "sk">): Promise<void> {
  const part = mailPart(mail);
  if (part) await transact({ mail: part });
}

/** Reads a mail; undefined if it was sent. */
export function find(mailId: string): Promise<Mail | undefined> {
  return getOrThrow(key.mail(mailId), Mail);
}

/** The mails that were not sent yet. */
export function waiting(): Promise<Mail[]> {
  return getRange(range.waiting("OUTBOX"), Mail);
}

/** Counts a waiting mail by these parts, unless it was counted before. Returns the names of full bounds. */
export async function countOnce({ sk }: Mail, bounds: Record<string, Part>): Promise<string[]> {
  const counted = setFields(key.mail(sk), { counted: true }, stillHas({ counted: undefined }));
  const outcome = await transact<string>({ counted, ...bounds });
  return outcome.done || outcome.failed.counted ? [] : Object.keys(outcome.failed);
}

/** Removes a mail that was sent or dropped. */
export function done(mailId: string): Promise<void> {
  return removeAlone(key.mail(mailId));
}
