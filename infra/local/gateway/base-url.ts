import { BASE_PATH } from "../../../lib/http/routes.ts";

/** All addresses of this machine, and the one by which clients on it reach a server that listens on all. */
const LOOPBACKS = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/** The base URL of a server on this host and port, as a client on this machine would write it. */
export function baseUrlOf(host: string, port: number): string {
  const reachable = LOOPBACKS.get(host) ?? host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}${BASE_PATH}`;
}
