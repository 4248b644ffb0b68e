import { isIPv6 } from "node:net";
import * as rates from "../accounts/rates.ts";
import { environment } from "../runtime/environment.ts";
import { ApiError } from "../runtime/errors.ts";
import * as log from "../runtime/log.ts";

// All rate limits, with their reasons. Calls are counted with RATE_LIMITS=on.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A count that refuses calls when it is full, except calls with a mark of this subject. */
type Counted = rates.Count & { unlessMarked?: string };

/**
 * The counts of a call, one after the other: the first that is full refuses the call, and those after it do not count
 * it. So a refused client uses up nothing that it shares with others.
 */
export type RateLimit = { counts: Counted[]; whenStoreFails: "refuse" | "let pass" };

type Windows = rates.Count["windows"];

function count(name: string, parts: string[], ...windows: Windows): rates.Count {
  return { subject: rates.subjectOf(name, ...parts), windows };
}

function per(seconds: number, hits: number): rates.Window {
  return { hits, seconds };
}

function refusing(...counts: Counted[]): RateLimit {
  return { counts, whenStoreFails: "refuse" };
}

/**
 * An office or a class behind one address may sign up together; each account costs a hash, 14 writes and a mail. A
 * client that repeats one address is stopped before it uses up the signups of others.
 */
export function signUp(email: string, network: string): RateLimit {
  return refusing(count("sign-up", [email, network], per(HOUR, 5)), count("sign-up-all", [network], per(HOUR, 20)));
}

/** Setup succeeds once in the life of a site; all other calls are mistakes or attacks. */
export function setUp(network: string): RateLimit {
  return refusing(count("set-up", [network], per(HOUR, 10)));
}

const FAILED_LOGINS_A_DAY = 100;
const REMEMBERED_SECONDS = 90 * DAY;

function failedLogIns(email: string): rates.Count {
  return count("log-in-failed", [email], per(DAY, FAILED_LOGINS_A_DAY));
}

function knownNetwork(email: string, network: string): string {
  return rates.subjectOf("log-in-known", email, network);
}

/**
 * Ten attempts on one account from one network, then longer and longer waits. Next, attempts on many accounts from one
 * network. Last, attempts on one account from everywhere: after a hundred failed ones in a day, only networks from
 * which its owner logged in or reset the password may try. Many clients together can neither guess a password nor
 * lock the owner out.
 */
export function logIn(email: string, network: string): RateLimit {
  return refusing(
    count("log-in", [email, network], per(5 * MINUTE, 10), per(HOUR, 30), per(DAY, 60)),
    count("log-in-all", [network], per(HOUR, 300)),
    { ...failedLogIns(email), unlessMarked: knownNetwork(email, network) },
  );
}

/** Takes a login that succeeded out of the failed ones, and remembers its network for 90 days. */
export function loggedIn(email: string, network: string): Promise<void> {
  return ifCounting(async () => {
    await Promise.all([
      rates.giveBack(failedLogIns(email)),
      rates.mark(knownNetwork(email, network), REMEMBERED_SECONDS),
    ]);
  });
}

/** Remembers a network from which a password was reset: its user may log in there. */
export function provedMailbox(email: string, network: string): Promise<void> {
  return ifCounting(() => rates.mark(knownNetwork(email, network), REMEMBERED_SECONDS));
}

/** Whether a network is remembered for an address: lib/mail/bounds.ts keeps resets for it. */
export async function isKnown(email: string, network: string): Promise<boolean> {
  return environment().RATE_LIMITS && rates.isMarked(knownNetwork(email, network));
}

/**
 * Mails that a client asks for: a person may ask again if none arrives; a stranger must not fill a mailbox or the bill.
 * lib/mail/bounds.ts limits the mails to one mailbox.
 */
export function mail(subject: string, network: string): RateLimit {
  return refusing(count("mail", [subject, network], per(HOUR, 5)), count("mail-all", [network], per(HOUR, 20)));
}

/** Tokens from mails: nobody can guess one, but each valid one costs a hash. */
export function mailToken(network: string): RateLimit {
  return refusing(count("mail-token", [network], per(HOUR, 60)));
}

// A session is an account and its token version, or an API key: a revoked token uses up nothing of its account. A new
// session has new counts, but requires a login or a mail, which are limited themselves. While the store fails these
// calls pass: their own work fails in the same store.

function bySession(name: string, session: string, ...windows: Windows): RateLimit {
  return { counts: [{ subject: `${name}:${session}`, windows }], whenStoreFails: "let pass" };
}

/** Votes and unvotes: more than a person clicks. */
export function vote(session: string): RateLimit {
  return bySession("vote", session, per(MINUTE, 60));
}

/** Each new post takes up to 140 write units, and a place at the top of every list. */
export function createPost(session: string): RateLimit {
  return bySession("create-post", session, per(MINUTE, 10), per(HOUR, 60), per(DAY, 200));
}

/** Changed and deleted posts: a moderator who sorts a backlog is busier than an author; up to 140 write units each. */
export function changePost(session: string): RateLimit {
  return bySession("change-post", session, per(MINUTE, 30), per(HOUR, 300), per(DAY, 1000));
}

/** A lively discussion, but no flood under every post. */
export function comment(session: string): RateLimit {
  return bySession("comment", session, per(MINUTE, 10), per(HOUR, 60));
}

/** Changes and deletions of comments, by moderators too. */
export function changeComment(session: string): RateLimit {
  return bySession("change-comment", session, per(MINUTE, 30), per(HOUR, 300));
}

/** A new name is written into all posts and votes of the account: 2 write units a KB. */
export function rename(session: string): RateLimit {
  return { ...bySession("rename", session, per(HOUR, 3), per(DAY, 10)), whenStoreFails: "refuse" };
}

/** Similar posts and search: the requests of a form while several people behind one address type. */
export function search(network: string): RateLimit {
  return { counts: [count("search", [network], per(MINUTE, 120))], whenStoreFails: "let pass" };
}

/** More API keys than a person sets up by hand. */
export function createKey(session: string): RateLimit {
  return bySession("create-key", session, per(HOUR, 20));
}

/** Counts a call against a limit; throws TOO_MANY_REQUESTS with the seconds to wait if a window is full. */
export async function enforce({ counts, whenStoreFails }: RateLimit): Promise<void> {
  try {
    for (const { unlessMarked, ...counted } of counts) {
      const retryAfter = await rates.hit(counted);
      if (retryAfter === undefined || (unlessMarked && (await rates.isMarked(unlessMarked)))) continue;
      throw new ApiError("TOO_MANY_REQUESTS", { retryAfter });
    }
  } catch (error) {
    if (error instanceof ApiError || whenStoreFails === "refuse") throw error;
    log.warn("a call could not be counted", { error });
  }
}

// The call itself has succeeded, and must not fail because the store does now.
async function ifCounting(note: () => Promise<void>): Promise<void> {
  if (!environment().RATE_LIMITS) return;
  await note().catch((error: unknown) => log.warn("a call could not be noted", { error }));
}

const IPV4_IN_IPV6 = /^(?:::ffff:|0:0:0:0:0:ffff:)(\d+\.\d+\.\d+\.\d+)$/i;

/** One client: an IPv4 address, or the /64 network of an IPv6 address, because one subscriber has all of it. */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%", 1);
  const mapped = IPV4_IN_IPV6.exec(plain)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const groups = head === "" ? [] : head.split(":");
  // An IPv4 address at the end takes the place of two groups.
  const after = tail ? tail.split(":").flatMap((group) => (group.includes(".") ? ["0", "0"] : [group])) : [];
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length;
  const all = [...groups, ...Array.from({ length: missing }, () => "0"), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
