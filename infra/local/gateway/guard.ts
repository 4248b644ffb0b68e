import type { IncomingMessage } from "node:http";
import { originIn } from "../../../lib/values/origins.ts";

/** Tells why a request is not answered; undefined if it is. */
export type Guard = (request: IncomingMessage) => string | undefined;

const LOOPBACK = /^(([\w-]+\.)*localhost|127(\.\d+){3}|\[::1\])$/;

/** The host of an authority or origin as browsers compare it; undefined if it is none. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : undefined;
}

function isLoopbackName(host: string | undefined): boolean {
  return host !== undefined && LOOPBACK.test(host);
}

export function isLoopback(address: string): boolean {
  return isLoopbackName(hostOf(`http://${address.includes(":") ? `[${address}]` : address}`));
}

function listOf(text = ""): string[] {
  return text
    .split(",")
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== "");
}

/** An origin as browsers send it; other schemes, as of extensions, and `null` stay as they are. */
function originNamed(text: string): string {
  const origin = originIn(text) ?? text;
  if (/^(\*|null|[a-z][a-z\d+.-]*:\/\/[^/]+)$/.test(origin)) return origin;
  throw new Error(`ALLOWED_ORIGINS must be * or origins like http://localhost:8080, comma-separated, not ${text}`);
}

/** A host as the header Host names it, without its port. */
function hostNamed(text: string): string {
  const host = text === "*" ? "*" : hostOf(text.includes("://") ? text : `http://${text}`);
  if (host) return host;
  throw new Error(`ALLOWED_HOSTS must be * or names like feedback.example.com, comma-separated, not ${text}`);
}

/**
 * The guard of a server that listens on loopback. Every page that is open in a browser of this machine can send it
 * requests, and a foreign name can lead to it (DNS rebinding). So it answers only pages and names of this machine, and
 * the ones in `allowedOrigins` and `allowedHosts`, separated by commas; `*` names all. A client without an Origin is
 * not a page.
 */
export function loopbackGuard({
  allowedOrigins,
  allowedHosts,
}: {
  allowedOrigins: string | undefined;
  allowedHosts: string | undefined;
}): Guard {
  const origins = listOf(allowedOrigins).map(originNamed);
  const hosts = listOf(allowedHosts).map(hostNamed);
  const allowsOrigin = (origin: string): boolean =>
    origins.includes("*") ||
    origins.includes(origin.toLowerCase()) ||
    (/^https?:\/\//i.test(origin) && isLoopbackName(hostOf(origin)));
  const allowsHost = (authority: string): boolean => {
    // As it was sent: browsers send no other form of an address, such as 0x7f.1 or x@127.0.0.1.
    const host = authority.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
    return hosts.includes("*") || isLoopbackName(host) || hosts.includes(host);
  };
  return ({ headers: { origin, host } }) => {
    if (host !== undefined && !allowsHost(host)) return "Host is not this machine: see ALLOWED_HOSTS";
    if (origin !== undefined && !allowsOrigin(origin)) return "Origin is not this machine: see ALLOWED_ORIGINS";
    return undefined;
  };
}
