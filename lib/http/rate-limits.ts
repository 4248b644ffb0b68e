import { isIPv6 } from "node:net";
import * as rates from "../accounts/rates.ts";
import { ApiError } from "../runtime/errors.ts";
import * as log from "../runtime/log.ts";
import { settings } from "../runtime/settings.ts";

// All rate limits, with their reasons. Calls are counted while the setting RATE_LIMITS is on.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A count that a call is added to; full, it refuses calls, except those with a mark of this subject. */
type Counted = rates.Count & { unlessMarked?: string };

/**
 * What a call counts against, one after the other: the first that is full refuses the call, and those behind it do not count it. So a
 * client that is refused spends nothing that it shares with others.
 */
export type RateLimit = { counts: Counted[]; whenStoreFails: "refuse" | "let pass" };

type Windows = rates.Count["windows"];

function count(name: string, parts: string[], ...windows: Windows): rates.Count {
  return { subject: rates.subjectOf(name, ...parts), windows };
}

function per(seconds: number, hits: number): rates.Window {
  return { hits, seconds };
}

/**
 * Signup: an office or a class behind one address may sign up together; each account costs a hash, 14 writes and a mail. A client that
 * repeats one address is stopped before it takes the others' places.
 */
export function signUp(email: string, network: string): RateLimit {
  return {
    counts: [count("sign-up", [email, network], per(HOUR, 5)), count("sign-up-all", [network], per(HOUR, 20))],
    whenStoreFails: "refuse",
  };
}

/** Setup succeeds once in the life of a site; all other calls are mistakes or attacks. */
export function setUp(network: string): RateLimit {
  return { counts: [count("set-up", [network], per(HOUR, 10))], whenStoreFails: "refuse" };
}

const FAILED_LOGINS_A_DAY = 100;
const REMEMBERED_SECONDS = 90 * DAY;

/** Logins to an account that fail, from all networks together. */
function failedLogIns(email: string): rates.Count {
  return count("log-in-failed", [email], per(DAY, FAILED_LOGINS_A_DAY));
}

function knownNetwork(email: string, network: string): string {
  return rates.subjectOf("log-in-known", email, network);
}

/**
 * Login: ten attempts on one account from one address, then longer and longer waits, up to a day. Then attempts on many accounts from
 * one address. Last, attempts on one account from everywhere: once a hundred of them failed in a day, only networks from which its
 * owner logged in, or set a password by a mail, may try until the day is over. So many clients together cannot guess a password, nor
 * lock the owner out.
 */
export function logIn(email: string, network: string): RateLimit {
  return {
    counts: [
      count("log-in", [email, network], per(5 * MINUTE, 10), per(HOUR, 30), per(DAY, 60)),
      count("log-in-all", [network], per(HOUR, 300)),
      { ...failedLogIns(email), unlessMarked: knownNetwork(email, network) },
    ],
    whenStoreFails: "refuse",
  };
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

/** Remembers a network from which a password was set by a mail: its user may log in there. */
export function provedMailbox(email: string, network: string): Promise<void> {
  return ifCounting(() => rates.mark(knownNetwork(email, network), REMEMBERED_SECONDS));
}

/**
 * Mails that a client asks for: a person may ask again if none comes; a stranger must not fill a mailbox or the bill. What goes to one
 * mailbox from all clients together is bounded where mails are sent (lib/mail/bounds.ts).
 */
export function mail(subject: string, network: string): RateLimit {
  return {
    counts: [count("mail", [subject, network], per(HOUR, 5)), count("mail-all", [network], per(HOUR, 20))],
    whenStoreFails: "refuse",
  };
}

/** Tokens from mails: nobody can guess one, but each valid one costs a hash. */
export function mailToken(network: string): RateLimit {
  return { counts: [count("mail-token", [network], per(HOUR, 60))], whenStoreFails: "refuse" };
}

// What a user does is counted by session, which is user and token version, or an API key: a token that is revoked spends nothing of
// its user's. A new session begins new counts, but to get one takes a login or a mail, which are limited themselves. While the
// store fails these let pass: what the call is for fails in the same store.

function byUser(name: string, session: string, ...windows: Windows): RateLimit {
  return { counts: [{ subject: `${name}:${session}`, windows }], whenStoreFails: "let pass" };
}

/** Votes and unvotes: more than a person clicks. */
export function vote(session: string): RateLimit {
  return byUser("vote", session, per(MINUTE, 60));
}

/** New posts: each takes up to 140 write units, and a place at the top of every list. */
export function createPost(session: string): RateLimit {
  return byUser("create-post", session, per(MINUTE, 10), per(HOUR, 60), per(DAY, 200));
}

/** Changed and deleted posts: a moderator who sorts a backlog is busier than an author, and takes up to 140 write units each time. */
export function changePost(session: string): RateLimit {
  return byUser("change-post", session, per(MINUTE, 30), per(HOUR, 300), per(DAY, 1000));
}

/** Comments: a lively talk, and no flood under every post. */
export function comment(session: string): RateLimit {
  return byUser("comment", session, per(MINUTE, 10), per(HOUR, 60));
}

/** Changes and deletions of comments, a moderator's too. */
export function changeComment(session: string): RateLimit {
  return byUser("change-comment", session, per(MINUTE, 30), per(HOUR, 300));
}

/** Changes of the caller's name: each is written into all posts and votes of the user, 2 write units a KB. */
export function rename(session: string): RateLimit {
  return { ...byUser("rename", session, per(HOUR, 3), per(DAY, 10)), whenStoreFails: "refuse" };
}

/** Similar posts and search: what a form asks while several people behind one address type. */
export function search(network: string): RateLimit {
  return { counts: [count("search", [network], per(MINUTE, 120))], whenStoreFails: "let pass" };
}

/** New API keys: more than anybody sets up by hand. */
export function createKey(session: string): RateLimit {
  return byUser("create-key", session, per(HOUR, 20));
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

/** Notes something for later calls. The call that it is about has succeeded: if the store fails now, it stays so. */
async function ifCounting(note: () => Promise<void>): Promise<void> {
  if (!settings().rateLimits) return;
  await note().catch((error: unknown) => log.warn("a call could not be noted", { error }));
}

const IPV4_IN_IPV6 = /^(?:::ffff:|0:0:0:0:0:ffff:)(\d+\.\d+\.\d+\.\d+)$/i;

/** What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, because one subscriber has all of it. */
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
