import { currentKey } from "./signing-keys.ts";

/**
 * A mark of a client's network for the log, the same until the signing key is rotated. It is keyed, so that a reader of
 * the log cannot try out addresses. Undefined while the key cannot be fetched: a log line is not worth an error.
 */
export async function networkMark(network: string): Promise<string | undefined> {
  try {
    const { key } = await currentKey();
    const mark = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`network ${network}`));
    return Buffer.from(mark).toString("hex").slice(0, 16);
  } catch {
    return undefined;
  }
}
