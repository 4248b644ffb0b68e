import { type Api, apiAt } from "../api.ts";
import type { Answer, AnswerPage, Headers } from "../build.ts";

// The door of a function behind CloudFront.

/** What a function gets of API Gateway (payload format 2.0). */
type Event = {
  rawPath: string;
  rawQueryString: string;
  headers: Record<string, string>;
  /** Absent from the headers. */
  cookies?: string[];
  requestContext: { http: { method: string } };
};

const FORBIDDEN = {
  statusCode: 403,
  headers: { "cache-control": "no-store" },
  body: "Open the portal by its own name",
};

/**
 * A function that answers CloudFront, which sends the key. Past it nothing would keep answers, and nobody would name
 * the visitor.
 */
export function handlerOf(answerPage: AnswerPage): (event: Event) => Promise<Answer> {
  return async ({ rawPath, rawQueryString, headers, cookies = [], requestContext }) => {
    const { API_ORIGIN: api = "", SITE_URL: site = "", PORTAL_KEY } = process.env;
    if (headers["x-portal-key"] !== PORTAL_KEY) return FORBIDDEN;
    const url = rawQueryString ? `${rawPath}?${rawQueryString}` : rawPath;
    const answer = await answerPage(url, { ...headers, cookie: cookies.join("; ") }, { api, site });
    return requestContext.http.method === "HEAD" ? { ...answer, body: "" } : answer;
  };
}

const FORWARDED = ["x-portal-key", "x-portal-viewer"];

/** The API counts for the visitor, whom CloudFront names. */
export function clientFor(headers: Headers, api: string): Api {
  const named = FORWARDED.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : []));
  return apiAt(api, Object.fromEntries(named));
}
