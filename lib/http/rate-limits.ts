import { isIPv6 } from "node:net";
import * as rates from "../accounts/rates.ts";
import { environment } from "../runtime/environment.ts";
import { ApiError } from "../runtime/errors.ts";
import * as log from "../runtime/log.ts";

// All rate limits, with their reasons. Calls are counted with RATE_LIMITS=on.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A count that refuses calls when it is full, except while this subject is remembered. */
type Counted = rates.Count & { unlessRemembered?: string };

/**
 * The counts of a call, one after the other: the first full one refuses the call, and those after it do not count it.
 * So a refused client does not use up limits that it shares with others.
 */
export type RateLimit = { counts: Counted[]; whenStoreFails: "refuse" | "let pass" };

type Windows = rates.Count["windows"];

function count(name: string, parts: string[], ...windows: rates.Window[]): rates.Count {
  return { subject: rates.subjectOf(name, ...parts), windows };
}

function per(seconds: number, hits: number): rates.Window {
  return { hits, seconds };
}

function refusing(...counts: Counted[]): RateLimit {
  return { counts, whenStoreFails: "refuse" };
}

/**
 * An office or a class behind one address may sign up together; each account costs a hash, 12 writes and a mail. A
 * client that repeats one address is stopped before it uses up the signups of others.
 */
export function signUp(email: string, network: string): RateLimit {
  return refusing(count("sign-up", [email, network], per(HOUR, 5)), count("sign-up-all", [network], per(HOUR, 20)));
}

/** Setup succeeds only once; all other calls are mistakes or attacks. */
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
    { ...failedLogIns(email), unlessRemembered: knownNetwork(email, network) },
  );
}

/** Takes a login that succeeded out of the failed ones, and remembers its network for 90 days. */
export function loggedIn(email: string, network: string): Promise<void> {
  return ifCounting(async () => {
    await Promise.all([
      rates.forgive(failedLogIns(email)),
      rates.remember(knownNetwork(email, network), REMEMBERED_SECONDS),
    ]);
  });
}

/**
 * Counts a password that is tried in a session, as a login: a stolen session gives no tries of its own. Throws
 * TOO_MANY_REQUESTS.
 */
export async function countPassword(email: string, network: string): Promise<void> {
  if (environment().RATE_LIMITS) await enforce(logIn(email, network), Date.now());
}

/** Remembers a network from which a password was reset: its user may log in there. */
export function provedMailbox(email: string, network: string): Promise<void> {
  return ifCounting(() => rates.remember(knownNetwork(email, network), REMEMBERED_SECONDS));
}

/** Whether a network is remembered for an address: lib/mail/bounds.ts keeps resets for it. */
export async function isKnown(email: string, network: string): Promise<boolean> {
  return environment().RATE_LIMITS && rates.isRemembered(knownNetwork(email, network));
}

/**
 * Mails that a client asks for: a person may ask again if none arrives; a stranger must not fill a mailbox or the bill.
 * lib/mail/bounds.ts limits the mails to one mailbox.
 */
export function mail(subject: string, network: string): RateLimit {
  return refusing(count("mail", [subject, network], per(HOUR, 5)), count("mail-all", [network], per(HOUR, 20)));
}

/** As `mail`, for mails that sign in: people of an office may sign in together. */
export function signInMail(email: string, network: string): RateLimit {
  return refusing(
    count("sign-in-mail", [email, network], per(HOUR, 5)),
    count("sign-in-mail-all", [network], per(HOUR, SIGN_IN_MAILS_OF_NETWORK)),
  );
}

/** Each may cause two mails: the link, and the news of a sign-in from elsewhere. */
export const SIGN_IN_MAILS_OF_NETWORK = 40;

/**
 * Sign-ins by mails to an address, or by one link. Nobody can guess a link. A code has five tries
 * (lib/accounts/sign-in-mails.ts): a network can use up the tries of two codes an hour.
 */
export function signInByMail(emailOrToken: string, network: string): RateLimit {
  return refusing(
    count("sign-in", [emailOrToken, network], per(HOUR, 10)),
    count("sign-in-all", [network], per(HOUR, 120)),
  );
}

/** Calls of a second factor from a network, whatever the account. */
export function secondFactor(network: string): RateLimit {
  return refusing(count("second-factor-all", [network], per(HOUR, 120)));
}

/** Of the codes of an app, three in a million are good at a moment: these many wrong ones a day find none. */
const WRONG_CODES_A_DAY = 100;

function wrongCodes(userId: string): rates.Count {
  return count("second-factor-wrong", [userId], per(DAY, WRONG_CODES_A_DAY));
}

function knownForCodes(userId: string, network: string): string {
  return rates.subjectOf("second-factor-known", userId, network);
}

/**
 * Counts a code of an account, once its first factor is proved, as `logIn` counts passwords: one network cannot use up
 * the tries of all, and networks from which the holder gave a code may try on. Throws TOO_MANY_REQUESTS.
 */
export async function countCode(userId: string, network: string): Promise<void> {
  if (!environment().RATE_LIMITS) return;
  const ofNetwork = count("second-factor", [userId, network], per(5 * MINUTE, 10), per(HOUR, 30), per(DAY, 60));
  const ofAll = { ...wrongCodes(userId), unlessRemembered: knownForCodes(userId, network) };
  await enforce(refusing(ofNetwork, ofAll), Date.now());
}

/** Takes a code that was right out of the wrong ones, and remembers its network for 90 days. */
export function codeAccepted(userId: string, network: string): Promise<void> {
  return ifCounting(async () => {
    await Promise.all([
      rates.forgive(wrongCodes(userId)),
      rates.remember(knownForCodes(userId, network), REMEMBERED_SECONDS),
    ]);
  });
}

/**
 * Sign-ins by a provider: each one makes a call to it, which a wrong code makes too. People of an office may sign in
 * together.
 */
export function signInByProvider(network: string): RateLimit {
  return refusing(count("sign-in-provider", [network], per(MINUTE, 30), per(HOUR, 120)));
}

/** Sign-ins by tokens of the owner's product, whose link a whole office may follow each day. Nobody can guess one. */
export function signInByToken(network: string): RateLimit {
  return refusing(count("sign-in-token", [network], per(MINUTE, 60), per(HOUR, 300)));
}

/** Each link of a sign-in to an account is told by a mail. */
export function linkSignIn(userId: string, network: string): RateLimit {
  return refusing(count("link", [userId], per(HOUR, 10)), count("link-all", [network], per(HOUR, LINKS_OF_NETWORK)));
}

export const LINKS_OF_NETWORK = 20;

/** The account that a first sign-in without a password makes counts as a signup. Throws TOO_MANY_REQUESTS. */
export async function countSignUp(email: string, network: string): Promise<void> {
  if (environment().RATE_LIMITS) await enforce(signUp(email, network), Date.now());
}

/** Tokens from mails: nobody can guess one, but each valid one costs a hash. */
export function mailToken(network: string): RateLimit {
  return refusing(count("mail-token", [network], per(HOUR, 60)));
}

// The units of the table that calls use. One client can use at most a tenth of what all share:
// test/cost/shares.test.ts.

/**
 * A network: a tenth of `maxReadUnits` and `maxWriteUnits` (infra/stack/context.ts); a write unit counts for two. The
 * window is short, because all of it may be used in its first second.
 */
const NETWORK = per(10, 1500);
export const UNITS_A_WRITE = 2;

/** The end of the window of networks that a moment lies in, both in milliseconds since 1970. */
export function endOfNetworkWindow(now: number): number {
  const length = NETWORK.seconds * 1000;
  return (Math.floor(now / length) + 1) * length;
}

/**
 * The most write units of a call that writes `own` ones, and of the background work after it: ranks and words of a
 * post, and checks of its text. test/cost/shares.test.ts measures it.
 */
export function withBackground(own: number): number {
  return 38 + 2 * own;
}

/** The write units that a call counts for at least; a vote takes up to 50. */
export const SMALL_CALL = withBackground(10);

/**
 * An account, in write units: as many as ten small calls take in ten seconds. The window is short, because all of it
 * may be used in its first second, from many addresses.
 */
const ACCOUNT = [per(10, 10 * SMALL_CALL), per(HOUR, 400 * SMALL_CALL), per(DAY, 1600 * SMALL_CALL)];

/** The limit of a network, in units of the store. */
export function network(address: string, units: number): RateLimit {
  const by = Math.min(Math.ceil(units), NETWORK.hits);
  return { counts: [count("network", [address], { ...NETWORK, by })], whenStoreFails: "let pass" };
}

/** A call of an account. While the store cannot count, it is admitted: it will fail in the same store anyway. */
export function account(userId: string, units: number, calls: Windows = []): RateLimit {
  const by = Math.min(units, ...ACCOUNT.map(({ hits }) => hits));
  const windows = [...ACCOUNT.map((window) => ({ ...window, of: "units", by })), ...calls];
  return { counts: [{ subject: `account:${userId}`, windows }], whenStoreFails: "let pass" };
}

function calls(of: string, ...windows: rates.Window[]): Windows {
  return windows.map((window) => ({ ...window, of }));
}

// Further limits of an account, for single endpoints.

/** A post is shown at the top of every list. */
export const NEW_POSTS = calls("post", per(MINUTE, 10), per(HOUR, 60), per(DAY, 200));

/** A lively discussion, but no flood under every post. */
export const NEW_COMMENTS = calls("comment", per(MINUTE, 10), per(HOUR, 60));

/** More than a person who tidies up finds; each one may wait for the team. */
export const NEW_REPORTS = calls("report", per(MINUTE, 6), per(HOUR, 20), per(DAY, 40));

/**
 * The things that reports from a network bring into the queue of the team, whatever accounts make them: in an hour a
 * tenth of what a moderator decides (test/cost/shares.test.ts).
 */
export function reportedThings(network: string): RateLimit {
  return { counts: [count("reported-all", [network], per(HOUR, 80), per(DAY, 240))], whenStoreFails: "let pass" };
}

/** Counts a report of something that does not wait for the team yet. Throws TOO_MANY_REQUESTS. */
export async function countReported(network: string): Promise<void> {
  if (environment().RATE_LIMITS) await enforce(reportedThings(network), Date.now());
}

/** A new name is written into all posts and votes of the account. */
export const RENAMES = calls("rename", per(HOUR, 3), per(DAY, 10));

/** As many people as a small company has; the mails of an hour are for others, too (lib/mail/bounds.ts). */
export const INVITATIONS = calls("invitation", per(HOUR, 100), per(DAY, 300));

/** More API keys than a person sets up by hand. */
export const NEW_KEYS = calls("key", per(HOUR, 20));

/** A tenth of what a route of the team admits (infra/stack/api.ts). */
export function teamChanges(name: string): Windows {
  return calls(name, per(MINUTE, 30));
}

/** An export reads the whole table. Only the owner may ask for one. */
export function exportOfSite(): RateLimit {
  return refusing(count("export", [], per(DAY, EXPORTS_A_DAY)));
}

export const EXPORTS_A_DAY = 10;

/**
 * Counts an export that begins, and no call that is refused: a wrong password costs none. Throws TOO_MANY_REQUESTS.
 */
export async function countExport(now: number): Promise<void> {
  if (environment().RATE_LIMITS) await enforce(exportOfSite(), now);
}

/** Takes out an export that was counted at `now`: another one has begun meanwhile. */
export async function uncountExport(now: number): Promise<void> {
  await ifCounting(() => uncount(exportOfSite(), now));
}

/** Takes a call out of a limit that counted it at `now`. */
export async function uncount({ counts }: RateLimit, now: number): Promise<void> {
  await Promise.all(counts.map((counted) => rates.uncount(counted, now)));
}

/** Tries of webhooks: each one makes a call to a foreign server. */
export function webhookTest(userId: string): RateLimit {
  return refusing(count("webhook-test", [userId], per(MINUTE, 10)));
}

/** Tests of sign-in providers: each one makes calls to a foreign server. */
export function providerTest(userId: string): RateLimit {
  return refusing(count("provider-test", [userId], per(MINUTE, 10)));
}

/** Counts a call against a limit; throws TOO_MANY_REQUESTS with the seconds to wait if a window is full. */
export async function enforce({ counts, whenStoreFails }: RateLimit, now: number): Promise<boolean> {
  try {
    for (const { unlessRemembered, ...counted } of counts) {
      const retryAfter = await rates.hit(counted, now);
      if (retryAfter === undefined || (unlessRemembered && (await rates.isRemembered(unlessRemembered)))) continue;
      throw new ApiError("TOO_MANY_REQUESTS", { retryAfter });
    }
    return true;
  } catch (error) {
    if (error instanceof ApiError || whenStoreFails === "refuse") throw error;
    return false;
  }
}

// What the call does is done, and must not fail because the store does now.
async function ifCounting(note: () => Promise<void>): Promise<void> {
  if (!environment().RATE_LIMITS) return;
  await note().catch((error: unknown) => log.warn("what a call did could not be noted", { error }));
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  // In its canonical form, where `::` stands for groups of zeros.
  const [head = [], tail = []] = new URL(`http://[${address}]`).hostname
    .split("::")
    .map((half) => half.match(/\w+/g) ?? []);
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail];
}

/** One client: an IPv4 address, or the /48 network of an IPv6 address, because one subscriber may have all of it. */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%", 1);
  if (!isIPv6(plain)) return plain;
  const groups = groupsOf(plain);
  // An IPv4 address in an IPv6 one: `::ffff:192.0.2.1` is `::ffff:c000:201`.
  if (groups.slice(0, 6).join(":") !== "0:0:0:0:0:ffff") return `${groups.slice(0, 3).join(":")}::/48`;
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .map((number) => `${number >> 8}.${number & 255}`)
    .join(".");
}
