import { countOnce, type Mail } from "../accounts/outbox.ts";
import * as rates from "../accounts/rates.ts";
import { environment } from "../runtime/environment.ts";

// Limits of all mails, independent of the caller. Counted with RATE_LIMITS=on.

const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** All mails but news and sign-ins: what a service like SES accepts from a small sender, and what a flood may cost. */
export const ALL_MAILS_AN_HOUR = 500;

/** All mails that sign in or tell of it: a pool of their own, as for news. */
export const SIGN_IN_MAILS_AN_HOUR = 1000;

/** All news of posts: a pool of their own, so that they use up no confirmation and no new password. */
export const NEWS_A_DAY = 5000;

// Their shares: no account uses up the day of others, and all members together leave some to the team.
export const NEWS_BY_MEMBERS = 4000;
const NEWS_BY_TEAM = 2500;
export const NEWS_BY_MEMBER = 250;
export const NEWS_TO_READER = 50;

const COMMENTS_AN_HOUR = 5;
/** To one mailbox, of each kind. */
export const MAILS_A_DAY = 10;
const KEPT_FOR_HOLDER = 3;

function count(subject: string, hits: number, seconds: number): rates.Count {
  return { subject, windows: [{ hits, seconds }] };
}

/** The mailbox of an address: most providers deliver `name+tag@` to `name@`. */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf("@");
  const [name] = address.slice(0, at).split("+", 1);
  return `${name}${address.slice(at)}`;
}

/** One welcome and three invitations in 30 days, ten mails a day of each other kind. */
function boundOf({ to, template, isKnown }: Mail, isVerified: boolean): rates.Count {
  const subject = rates.subjectOf(template, mailboxOf(to));
  if (template === "welcome") return count(subject, 1, 30 * DAY);
  if (template === "invitation") return count(subject, 3, 30 * DAY);
  // Kept for confirmed accounts: anybody can sign up with `name+tag@`, for the same mailbox, and sign in there.
  const isAskedByAnybody = template === "reset" || template === "sign-in";
  const kept = isAskedByAnybody && !(isKnown && isVerified) ? KEPT_FOR_HOLDER : 0;
  return count(subject, MAILS_A_DAY - kept, DAY);
}

function poolOf({ template }: Mail): rates.Count {
  const isOfSignIn = template === "sign-in" || template === "signed-in" || template === "sign-in-linked";
  return isOfSignIn ? count("sign-in-mails", SIGN_IN_MAILS_AN_HOUR, HOUR) : count("all-mails", ALL_MAILS_AN_HOUR, HOUR);
}

/**
 * Counts a mail once, however often it is tried. `false`: drop it, its mailbox is full. Throws if too many mails were
 * sent in this hour: it is tried again later, and an alarm goes off if that lasts.
 */
export async function admits(mail: Mail, isVerified = false): Promise<boolean> {
  if (!environment().RATE_LIMITS) return true;
  const full = await countOnce(mail, {
    mailbox: rates.hitPart(boundOf(mail, isVerified)),
    all: rates.hitPart(poolOf(mail)),
  });
  if (full.includes("mailbox")) return false;
  if (full.includes("all")) throw new Error("too many mails in an hour");
  return true;
}

/** Counts a letter about a comment. After five in an hour it returns when the next one is due (ms since 1970). */
export async function countCommentLetter(userId: string, postId: string): Promise<number | undefined> {
  const ofReader = count(rates.subjectOf("comment-news", userId, postId), COMMENTS_AN_HOUR, HOUR);
  const now = Date.now();
  if (!environment().RATE_LIMITS || (await rates.hit(ofReader, now)) === undefined) return undefined;
  // A minute after the hour no call of the hour still runs, so none adds a comment while the letter is sent.
  return (Math.floor(now / 1000 / HOUR) + 1) * HOUR * 1000 + 60_000;
}

/** Who gets a letter with news, and who caused them. */
type NewsFor = { user: { userId: string }; by: string; isOfTeam: boolean };

/** What a letter counts in: of its reader, of who caused it, of all members, of everybody. */
function poolsOf({ user, by, isOfTeam }: NewsFor): rates.Count[] {
  return [
    count(rates.subjectOf("news-to", user.userId), NEWS_TO_READER, DAY),
    count(rates.subjectOf("news-by", by), isOfTeam ? NEWS_BY_TEAM : NEWS_BY_MEMBER, DAY),
    ...(isOfTeam ? [] : [count("news-by-members", NEWS_BY_MEMBERS, DAY)]),
    count("all-news", NEWS_A_DAY, DAY),
  ];
}

/**
 * Counts a letter with news. If a pool of the day is used up, returns when the next may leave (ms since 1970), and
 * whether the reader had enough mails: then only this reader waits, else all do.
 */
export async function countNews(news: NewsFor): Promise<{ at: number; readerHadEnough: boolean } | undefined> {
  if (!environment().RATE_LIMITS) return undefined;
  const now = Date.now();
  const counted: rates.Count[] = [];
  for (const pool of poolsOf(news)) {
    const wait = await rates.hit(pool, now);
    if (wait !== undefined) {
      for (const each of counted) await rates.uncount(each, now);
      return { at: now + wait * 1000, readerHadEnough: counted.length === 0 };
    }
    counted.push(pool);
  }
  return undefined;
}
