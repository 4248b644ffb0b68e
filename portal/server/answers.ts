import { createHash } from "node:crypto";
import { Failure } from "../api.ts";
import type { Answer, Headers } from "../build.ts";

// A cache before it takes a burst of visitors. Browsers ask again, and a page that lacks something is not kept.
export const KEPT = "public, max-age=0, s-maxage=10";

/** What caches tell the languages of one address apart by. */
export const BY_LANGUAGE = "accept-language, cookie";

type Redirect = 301 | 302 | 303;

/** Leads to another address. A browser must not keep it: a title, and so a slug, can be changed back. */
export function leadTo(location: string, statusCode: Redirect, cache = KEPT): Answer {
  return { statusCode, headers: { location, "cache-control": cache }, body: "" };
}

/** Leaves out what the client has already (RFC 9110, 13.1.2). */
export function unlessKnown(answer: Answer, { "if-none-match": known = "" }: Headers): Answer {
  if (answer.statusCode !== 200) return answer;
  const etag = `W/"${createHash("sha256").update(answer.body).digest("base64url").slice(0, 22)}"`;
  const isKnown = String(known)
    .split(",")
    .some((each) => [etag, etag.slice(2), "*"].includes(each.trim()));
  const headers = { ...answer.headers, etag };
  return isKnown ? { statusCode: 304, headers, body: "" } : { ...answer, headers };
}

const PLAIN = { "content-type": "text/plain; charset=utf-8" };

/** What programs get where the API failed. */
export function failedAnswer({ status }: Pick<Failure, "status">): Answer {
  if (status === 404)
    return {
      statusCode: 404,
      headers: { ...PLAIN, "cache-control": KEPT },
      body: "There is nothing at this address.\n",
    };
  const headers = { ...PLAIN, "cache-control": "no-store", "retry-after": "10" };
  return { statusCode: 503, headers, body: "Please try again in a moment.\n" };
}

/** An answer for programs, or what they get where the API failed. */
export async function orFailed(answering: Promise<Answer>): Promise<Answer> {
  return answering.catch((failure: unknown) => {
    if (failure instanceof Failure) return failedAnswer(failure);
    throw failure;
  });
}
