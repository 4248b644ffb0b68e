import { lookup } from "node:dns";
import * as http from "node:http";
import * as https from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { reasons } from "./reasons.ts";
import { isOwnMachine, mayCall } from "./urls.ts";

// The one door for calls to urls that people give: of webhooks and of sign-in providers. Whatever a name resolves to,
// only public addresses are connected to.

function blockList(family: "ipv4" | "ipv6", subnets: string): BlockList {
  const list = new BlockList();
  for (const [address = "", bits] of subnets.split(" ").map((subnet) => subnet.split("/"))) {
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}

// Two lists, because the rules of one also match IPv4 in IPv6. All but 2000::/3 is not public; in it are tunnels,
// documentation and benchmarks.
const notPublic = {
  ipv4: blockList(
    "ipv4",
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 " +
      "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3",
  ),
  ipv6: blockList("ipv6", "::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20"),
};

/** Whether an address that a name resolves to is not public. */
export function isRefused(address: string): boolean {
  const family = isIP(address) === 4 ? "ipv4" : "ipv6";
  // An address with a zone is of this machine's own network.
  return isIP(address) === 0 || address.includes("%") || notPublic[family].check(address, family);
}

/**
 * What a call brought: the status of the answer, after how many ms, how long to wait, and the text of a call that reads
 * it; or why there is none.
 */
export type Answer = { status?: number; ms?: number; retryAfterMs?: number; text?: string; reason?: string };

export type Call = {
  method: "GET" | "POST";
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** The longest wait for the whole answer. */
  timeoutMs: number;
  /** The most bytes of the answer that are read. */
  mostBytes: number;
  /** Whether the text of the answer is wanted: then one that is longer than `mostBytes` counts as missing. */
  readsText?: boolean;
  /** For tests. */
  resolve?: typeof lookup;
};

const NOT_PUBLIC = Object.assign(new Error("an address is not public"), { code: "NOT_PUBLIC" });

/** Looks a name up once, for one connection, which may use just what was checked. */
function checked(resolve: typeof lookup): LookupFunction {
  return (hostname, options, done) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) =>
      done(error ?? (addresses.some(({ address }) => isRefused(address)) ? NOT_PUBLIC : null), addresses),
    );
}

/** The reason of an error of the connection, by the error's code. */
const REASONS: Record<string, string> = {
  NOT_PUBLIC: reasons.HOST_NOT_PUBLIC,
  ENOTFOUND: reasons.HOST_UNKNOWN,
  ECONNREFUSED: reasons.CONNECTION_REFUSED,
  ECONNRESET: reasons.CONNECTION_ENDED,
  ABORT_ERR: reasons.NO_ANSWER,
};

/** `retry-after` is a number of seconds or a date. */
function retryAfterMsOf(text = "0"): number {
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wait) ? Math.max(wait, 0) : 0;
}

/** Makes a call. Follows no redirect, uses no proxy, and reads a bounded part of the answer. */
export function call({ method, url: text, headers, body = "", timeoutMs, mostBytes, ...more }: Call): Promise<Answer> {
  const { readsText = false, resolve = lookup } = more;
  const { promise, resolve: settle } = Promise.withResolvers<Answer>();
  if (!mayCall(text)) return Promise.resolve({ reason: reasons.URL_NOT_ALLOWED });
  const url = new URL(text);
  const { Agent, request } = url.protocol === "http:" ? http : https;
  const started = performance.now();
  const answered = ({ statusCode = 0, headers }: http.IncomingMessage, chunks: Buffer[] = []): void => {
    const ms = Math.round(performance.now() - started);
    const answer = { status: statusCode, ms, retryAfterMs: retryAfterMsOf(headers["retry-after"]) };
    settle(readsText ? { ...answer, text: Buffer.concat(chunks).toString() } : answer);
  };
  const options = {
    method,
    headers: { ...headers, ...(body && { "content-length": Buffer.byteLength(body) }) },
    signal: AbortSignal.timeout(timeoutMs),
    // An agent of its own: the global one may use a proxy.
    agent: new Agent(),
    rejectUnauthorized: true,
    autoSelectFamily: true,
    ...(!isOwnMachine(url) && { lookup: checked(resolve) }),
  };
  const sent = request(url, options, (answer) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    answer.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (readsText) chunks.push(chunk);
      if (bytes > mostBytes) answer.destroy();
    });
    answer.on("error", () => {});
    answer.on("close", () => {
      if (readsText && bytes > mostBytes) settle({ reason: reasons.TOO_LONG });
      else if (readsText && !answer.complete) settle({ reason: reasons.CONNECTION_ENDED });
      else answered(answer, chunks);
    });
  });
  sent.on("error", ({ code = "" }: NodeJS.ErrnoException) =>
    settle({ reason: REASONS[code] ?? `${reasons.CONNECTION_FAILED}: ${code}` }),
  );
  sent.on("upgrade", (answer, socket) => {
    socket.destroy();
    answered(answer);
  });
  sent.end(body);
  return promise;
}
