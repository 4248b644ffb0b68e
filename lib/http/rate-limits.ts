import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import * as rates from "../data/rates.ts";
import { ApiError } from "../runtime/errors.ts";
import * as log from "../runtime/log.ts";

// All figures of the rate limits, with their reasons. They are counted while the setting RATE_LIMITS is on.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What a call counts against: all of these windows, and what happens while the store cannot count. */
export type RateLimit = { windows: rates.Window[]; whenStoreFails: "refuse" | "let pass" };

/** A hash in place of what it is made of: addresses stand in no key, and every key is short. */
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

/** Setup succeeds once in the life of a site; the rest are mistakes and strangers. */
export const setUp = (network: string): RateLimit => ({
  windows: [window("set-up", [network], 10, HOUR)],
  whenStoreFails: "refuse",
});

/**
 * Login: who tries one account from one address has ten attempts, then waits longer and longer, up to a day; at another address
 * the account's owner logs in undisturbed. The last window bounds the trying of many accounts from one address.
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

/** A mail to an address: a person asks again when it does not come at once, a stranger must not fill a mailbox or our bill. */
export const mail = (email: string, network: string): RateLimit => ({
  windows: [window("mail", [email, network], 5, HOUR), window("mail-all", [network], 20, HOUR)],
  whenStoreFails: "refuse",
});

/** Tokens out of mails: they cannot be guessed, but a good one costs a hash. */
export const mailToken = (network: string): RateLimit => ({
  windows: [window("mail-token", [network], 60, HOUR)],
  whenStoreFails: "refuse",
});

/** Votes and their withdrawal: more than a person clicks. Open when the store fails: a vote harms nobody, and it fails then itself. */
export const vote = (userId: string): RateLimit => ({
  windows: [{ subject: `vote:${userId}`, hits: 60, seconds: MINUTE }],
  whenStoreFails: "let pass",
});

/** Changes of one's name: each is written into all posts and votes of the user. */
export const rename = (userId: string): RateLimit => ({
  windows: [{ subject: `rename:${userId}`, hits: 10, seconds: HOUR }],
  whenStoreFails: "refuse",
});

/** Counts a call against a limit; throws TOO_MANY_REQUESTS, with the seconds to wait, where one of its windows is full. */
export const enforce = async ({ windows, whenStoreFails }: RateLimit): Promise<void> => {
  try {
    const waits = await Promise.all(windows.map((each) => rates.hit(each)));
    const retryAfter = Math.max(0, ...waits.map((seconds = 0) => seconds));
    if (retryAfter > 0) throw new ApiError("TOO_MANY_REQUESTS", { retryAfter });
  } catch (error) {
    if (error instanceof ApiError || whenStoreFails === "refuse") throw error;
    log.warn("a call could not be counted", { error });
  }
};

const IPV4_IN_IPV6 = /^(?:::ffff:|0:0:0:0:0:ffff:)(\d+\.\d+\.\d+\.\d+)$/i;

/** Who counts as one client: an IPv4 address, or the /64 network that an IPv6 address lies in, for one subscriber has all of it. */
export const networkOf = (address: string): string => {
  const [plain = ""] = address.split("%", 1);
  const mapped = IPV4_IN_IPV6.exec(plain)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(plain)) return plain;
  const [head = "", tail] = plain.split("::");
  const groups = head === "" ? [] : head.split(":");
  // An IPv4 address at the end stands for two groups.
  const after = tail ? tail.split(":").flatMap((group) => (group.includes(".") ? ["0", "0"] : [group])) : [];
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length;
  const all = [...groups, ...Array.from({ length: missing }, () => "0"), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
};
