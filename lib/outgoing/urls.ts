import { isIP } from "node:net";
import { environment } from "../runtime/environment.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a url leads to this machine, and may. */
export function isOwnMachine({ hostname }: URL): boolean {
  return environment().WEBHOOK_PRIVATE_TARGETS && LOOPBACK.has(hostname);
}

/** Whether a url may be called: https, a host name, port 443 or above 1023, no credentials. */
export function mayCall(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password) return false;
  if (isOwnMachine(url)) return url.protocol === "http:" || url.protocol === "https:";
  // Node looks up no address, so nothing would check it.
  const isAddress = isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0;
  return url.protocol === "https:" && !isAddress && (url.port === "" || Number(url.port) >= 1024);
}
