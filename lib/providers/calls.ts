import { type Answer, call } from "../outgoing/door.ts";
import { Fault, ProviderDown, reasons } from "./faults.ts";

/** All calls of one sign-in together. */
const PATIENCE_MS = 5000;

/** More than any discovery document, set of keys or token has. */
const MOST_BYTES = 100_000;

/** Until when a sign-in waits for its provider, in milliseconds since 1970. */
export function deadline(): number {
  return Date.now() + PATIENCE_MS;
}

type Asked = { url: string; until: number; headers?: Record<string, string>; form?: URLSearchParams };

/** What a provider answers, as JSON. Throws ProviderDown if it does not answer or has a fault of its own. */
export async function ask({ url, until, headers, form }: Asked): Promise<{ status: number; json: unknown }> {
  const {
    status = 0,
    text,
    reason,
  } = await call({
    method: form ? "POST" : "GET",
    url,
    headers: {
      accept: "application/json",
      "user-agent": "feedback-board",
      ...headers,
      ...(form && { "content-type": "application/x-www-form-urlencoded" }),
    },
    ...(form && { body: form.toString() }),
    timeoutMs: Math.max(until - Date.now(), 1),
    mostBytes: MOST_BYTES,
    readsText: true,
  });
  if (reason !== undefined) throw failed(reason);
  if (status >= 500 || status === 429) throw new ProviderDown(`${reasons.PROVIDER_FAILED}: ${status}`);
  return { status, json: parsed(text) };
}

/** A url that may not be called at all stays so. */
function failed(reason: NonNullable<Answer["reason"]>): Error {
  return reason === reasons.URL_NOT_ALLOWED ? new Fault("URL_NOT_ALLOWED") : new ProviderDown(reason);
}

function parsed(text = ""): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
