import * as preferences from "../accounts/preferences.ts";
import { find as findSite } from "../accounts/site.ts";
import type { UserRecord } from "../accounts/users.ts";
import { type Letter, laidOut, nameOf } from "../mail/layout.ts";
import { quoteOf } from "../mail/markdown.ts";
import type { Texts } from "../mail/texts/en.ts";
import { mailLanguageOf, t } from "../mail/texts.ts";
import { LINE_LENGTH, lineOf } from "../mail/unlinked.ts";
import { thingOf } from "../posts/deciding-reports.ts";
import { findAllWaiting, firstWaiting, type Held, isReported, type Waiting } from "../posts/held.ts";
import type { Reported } from "../posts/reports.ts";
import { environment } from "../runtime/environment.ts";
import { shortened } from "../values/characters.ts";
import { contentFor, type DigestJob, MOST, needsQueue } from "./digest.ts";
import { unsubscribeHeaders, unsubscribeLink } from "./unsubscribe-links.ts";

/** The most things that a letter lists. */
const LISTED = 20;

/** How much of a text is read for its line. */
const READ_LENGTH = 500;

/** What of a round still waits, by its ids, or the first ones of the queue, and who chose the digest. */
export async function readQueue(job: DigestJob) {
  const { before, ids } = job;
  const [site, readers, found, first] = await Promise.all([
    findSite(),
    preferences.digestReaders(),
    findAllWaiting([...new Set([...before, ...ids])]),
    needsQueue(job) ? firstWaiting(MOST) : { found: [], more: false },
  ]);
  return { site, readers, first, waiting: new Map(found.map((each) => [each.id, each])) };
}
export type Queue = Awaited<ReturnType<typeof readQueue>>;

type ForReader = { things: Waiting[]; isMore: boolean };

/** What a reader gets a letter about; undefined if nothing waits, or the account does not get the digest. */
export function waitingFor(user: UserRecord, { waiting, first }: Queue, job: DigestJob): ForReader | undefined {
  if (!user.isVerified || !preferences.getsDigest(user)) return undefined;
  const content = contentFor(user.userId, job);
  const isOfQueue = content === "queue";
  const things = isOfQueue ? first.found : content.flatMap((id) => waiting.get(id) ?? []);
  return things.length > 0 ? { things, isMore: isOfQueue && first.more } : undefined;
}

/** The beginning of a comment in one line, without its markup. */
function beginningOf(body: string): string {
  const { text } = quoteOf(shortened(body, READ_LENGTH), { isTrusted: false });
  return shortened(text.replace(/\s+/g, " ").trim(), LINE_LENGTH);
}

export type Shown = { label: keyof Texts; text: string };

function shownHeld(held: Held): Shown {
  return held.kind === "post"
    ? { label: "digestPost", text: lineOf(held.title) }
    : { label: "digestComment", text: beginningOf(held.body) };
}

/** A reported comment may be on its way to another post: then it has no text here. */
async function shownReported(reported: Reported): Promise<Shown> {
  const thing = await thingOf(reported);
  if (reported.what === "post") {
    return { label: "digestReportedPost", text: thing?.what === "post" ? lineOf(thing.post.title) : "…" };
  }
  return { label: "digestReportedComment", text: thing?.what === "comment" ? beginningOf(thing.comment.body) : "…" };
}

/** What a letter shows of the waiting things: the first ones, in words. */
export function shownThings(waiting: Waiting[]): Promise<Shown[]> {
  const listed = waiting.slice(0, LISTED);
  return Promise.all(listed.map((each) => (isReported(each) ? shownReported(each) : shownHeld(each))));
}

type Listed = { shown: Shown[]; count: number; isMore: boolean };

/** The letter that lists waiting things. Only the team gets it, so it may quote what nobody else sees. */
export function letterOfDigest(
  user: UserRecord,
  { shown, count, isMore }: Listed,
  site: Queue["site"],
  tokenOf: (scope: string) => string,
): Letter {
  const language = mailLanguageOf(user);
  const values = { n: count.toLocaleString(language), site: nameOf(site) };
  const hasMore = isMore || count > shown.length;
  const content = {
    language,
    subject: t(subjectFor(count, isMore), language, values),
    before: t("digestText", language, values),
    items: shown.map(({ label, text }) => ({ label: t(label, language, { text }) })),
    link: { label: t("openQueue", language), url: `${environment().SITE_URL}/manage/queue` },
    after: `${hasMore ? `${t("digestMore", language)} ` : ""}${t("whyDigest", language)}`,
    footer: [{ label: t("leaveDigest", language), url: unsubscribeLink(tokenOf("digest")) }],
  };
  return laidOut(user.email, content, site, unsubscribeHeaders(tokenOf("digest")));
}

function subjectFor(count: number, isMore: boolean): keyof Texts {
  if (isMore) return "digestManySubject";
  return count > 1 ? "digestSubject" : "digestOneSubject";
}
