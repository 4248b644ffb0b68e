import { type Mail, mayBeSent } from "../accounts/outbox.ts";
import * as rates from "../accounts/rates.ts";
import { settings } from "../runtime/settings.ts";

// Limits of all mails, independent of the caller. Counted while the setting RATE_LIMITS is on.

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** All mails: what a service like SES accepts from a small sender, and what a flood may cost. */
export const ALL_MAILS_AN_HOUR = 500;

const MAILS_A_DAY = 10;
const WELCOMES_IN_30_DAYS = 1;

/** The mailbox of an address: most providers deliver `name+tag@` to `name@`. */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf("@");
  const [name] = address.slice(0, at).split("+", 1);
  return `${name}${address.slice(at)}`;
}

function part(subject: string, hits: number, seconds: number) {
  return rates.hitPart({ subject, windows: [{ hits, seconds }] });
}

function boundsOf({ to, template }: Mail) {
  const subject = (name: string) => rates.subjectOf(name, mailboxOf(to));
  return {
    mailbox: part(subject("mailbox"), MAILS_A_DAY, DAY),
    ...(template === "welcome" && { welcome: part(subject("welcome"), WELCOMES_IN_30_DAYS, 30 * DAY) }),
    all: part("all-mails", ALL_MAILS_AN_HOUR, HOUR),
  };
}

/**
 * Counts a mail once, however often it is tried. `false`: drop it, its mailbox is full. Throws if too many mails were
 * sent in this hour: it is tried again later, and an alarm goes off if that lasts.
 */
export async function admits(mail: Mail): Promise<boolean> {
  if (!settings().RATE_LIMITS) return true;
  const full = await mayBeSent(mail, boundsOf(mail));
  if (full.includes("mailbox") || full.includes("welcome")) return false;
  if (full.includes("all")) throw new Error(`more than ${ALL_MAILS_AN_HOUR} mails in an hour`);
  return true;
}
