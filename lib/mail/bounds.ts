import { type Mail, mayBeSent } from "../accounts/outbox.ts";
import * as rates from "../accounts/rates.ts";
import { environment } from "../runtime/environment.ts";

// Limits of all mails, independent of the caller. Counted with RATE_LIMITS=on.

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** All mails but notices: what a service like SES accepts from a small sender, and what a flood may cost. */
export const ALL_MAILS_AN_HOUR = 500;

/** Notices have pools of their own, so that they use up no confirmation and no new password. */
export const ALL_NOTICES_AN_HOUR = 100;

/** News of posts have a pool of their own, too. */
export const NEWS_A_DAY = 5000;

const COMMENTS_AN_HOUR = 5;

const MAILS_A_DAY = 10;
const RESETS_KEPT_FOR_HOLDER = 3;
const WELCOMES_IN_30_DAYS = 1;

const pools = { welcome: "mailbox", verify: "mailbox", reset: "resets", "new-key": "notices" } as const;

/** The mailbox of an address: most providers deliver `name+tag@` to `name@`. */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf("@");
  const [name] = address.slice(0, at).split("+", 1);
  return `${name}${address.slice(at)}`;
}

function part(subject: string, hits: number, seconds: number) {
  return rates.hitPart({ subject, windows: [{ hits, seconds }] });
}

// Kept for confirmed accounts: anybody can sign up with `name+tag@`, for the same mailbox, and sign in there.
function boundsOf({ to, template, isKnown }: Mail, isVerified: boolean) {
  const subject = (name: string) => rates.subjectOf(name, mailboxOf(to));
  const kept = template === "reset" && !(isKnown && isVerified) ? RESETS_KEPT_FOR_HOLDER : 0;
  return {
    mailbox: part(subject(pools[template]), MAILS_A_DAY - kept, DAY),
    ...(template === "welcome" && { welcome: part(subject("welcome"), WELCOMES_IN_30_DAYS, 30 * DAY) }),
    all:
      template === "new-key"
        ? part("all-notices", ALL_NOTICES_AN_HOUR, HOUR)
        : part("all-mails", ALL_MAILS_AN_HOUR, HOUR),
  };
}

/**
 * Counts a mail once, however often it is tried. `false`: drop it, its mailbox is full. Throws if too many mails were
 * sent in this hour: it is tried again later, and an alarm goes off if that lasts.
 */
export async function admits(mail: Mail, isVerified = false): Promise<boolean> {
  if (!environment().RATE_LIMITS) return true;
  const full = await mayBeSent(mail, boundsOf(mail, isVerified));
  if (full.includes("mailbox") || full.includes("welcome")) return false;
  if (full.includes("all")) throw new Error("too many mails in an hour");
  return true;
}

/** Counts a letter with news of a post. Returns the seconds to wait if the day has had enough. */
export async function secondsUntilNotices(): Promise<number | undefined> {
  if (!environment().RATE_LIMITS) return undefined;
  return rates.hit({ subject: "all-news", windows: [{ hits: NEWS_A_DAY, seconds: DAY }] });
}

function commentsFor(userId: string, postId: string): rates.Count {
  const subject = rates.subjectOf("comment-news", userId, postId);
  return { subject, windows: [{ hits: COMMENTS_AN_HOUR, seconds: HOUR }] };
}

/** Counts a letter with a comment. Whether its reader had five about this post in the hour: there is no sixth. */
export async function hadEnoughComments(userId: string, postId: string, now: number): Promise<boolean> {
  return environment().RATE_LIMITS && (await rates.hit(commentsFor(userId, postId), now)) !== undefined;
}

/** Takes back what a letter counted that did not leave. */
export async function takeBackComment(userId: string, postId: string, now: number): Promise<void> {
  if (environment().RATE_LIMITS) await rates.takeBack(commentsFor(userId, postId), now);
}
