import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import * as rates from "../data/rates.ts";
import { ApiError } from "../runtime/errors.ts";
import * as log from "../runtime/log.ts";

// All rate limits, with their reasons. Calls are counted while the setting RATE_LIMITS is on.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The windows that a call counts against, and what happens to it while the store cannot count. */
export type RateLimit = { windows: rates.Window[]; whenStoreFails: "refuse" | "let pass" };

/** A hash of some text: keys stay short, and no key holds an address. */
const hashed = (...parts: string[]): string => createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32);

const window = (name: string, parts: string[], hits: number, seconds: number): rates.Window => ({
  subject: `${name}:${hashed(...parts)}`,
  hits,
  seconds,
});

/** Signup: an office or a class behind one address may sign up together; each account costs a hash, 14 writes and a mail. */
export const signUp = (network: string): RateLimit => ({
  windows: [window("sign-up", [network], 20, HOUR)],
  whenStoreFails: "refuse",
});

/** Setup succeeds once in the life of a site; all other calls are mistakes or attacks. */
export const setUp = (network: string): RateLimit => ({
  windows: [window("set-up", [network], 10, HOUR)],
  whenStoreFails: "refuse",
});

/**
 * Login: ten attempts on one account from one address, then longer and longer waits, up to a day. The owner of the account, at
 * another address, is not affected. The last window is for attempts on many accounts from one address.
 */
export const logIn = (email: string, network: string): RateLimit => ({
  windows: [
    window("log-in", [email, network], 10, 5 * MINUTE),
    window("log-in", [email, network], 30, HOUR),
    window("log-in", [email, network], 60, DAY),
    window("log-in-all", [network], 300, HOUR),
  ],
  whenStoreFails: "refuse",
});

/** Mails to an address: a person may ask again if none comes; a stranger must not fill a mailbox or the bill. */
export const mail = (email: string, network: string): RateLimit => ({
  windows: [window("mail", [email, network], 5, HOUR), window("mail-all", [network], 20, HOUR)],
  whenStoreFails: "refuse",
});

/** Tokens from mails: nobody can guess one, but each valid one costs a hash. */
export const mailToken = (network: string): RateLimit => ({
  windows: [window("mail-token", [network], 60, HOUR)],
  whenStoreFails: "refuse",
});

/** Votes and unvotes: more than a person clicks. Lets pass while the store fails: then the vote itself fails too. */
export const vote = (userId: string): RateLimit => ({
  windows: [{ subject: `vote:${userId}`, hits: 60, seconds: MINUTE }],
  whenStoreFails: "let pass",
});

/** Changes of the caller's name: each is written into all posts and votes of the user. */
export const rename = (userId: string): RateLimit => ({
  windows: [{ subject: `rename:${userId}`, hits: 10, seconds: HOUR }],
  whenStoreFails: "refuse",
});

/** Counts a call against a limit; throws TOO_MANY_REQUESTS with the seconds to wait if a window is full. */
export const enforce = async ({ windows, whenStoreFails }: RateLimit): Promise<void> => {
  try {
    const waits = await Promise.all(windows.map((counted) => rates.hit(counted)));
    const retryAfter = Math.max(0, ...waits.map((seconds = 0) => seconds));
    if (retryAfter > 0) throw new ApiError("TOO_MANY_REQUESTS", { retryAfter });
  } catch (error) {
    if (error instanceof ApiError || whenStoreFails === "refuse") throw error;
    log.warn("a call could not be counted", { error });
  }
};

const IPV4_IN_IPV6 = /^(?:::ffff:|0:0:0:0:0:ffff:)(\d+\.\d+\.\d+\.\d+)$/i;

/** What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, because one subscriber has all of it. */
export const networkOf = (address: string): string => {
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
};
