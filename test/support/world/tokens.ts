import * as tokens from "../../../lib/auth/tokens.ts";
import { newId } from "../../../lib/values/ids.ts";
import type { Person } from "./fixtures.ts";

/** An Authorization header that must not speak for a user, and what a Bearer endpoint answers to it. */
export type BadToken = { what: string; authorization: string; code: string };

const WEEKS = 8 * 24 * 60 * 60 * 1000;

/**
 * One header of each kind that must not speak for a user; the long list of forged tokens is test/security/corpus.ts.
 */
export async function badTokens(person: Person): Promise<BadToken[]> {
  const { userId, tokenVersion, token } = person;
  const expired = await tokens.issue(person, Date.now() - WEEKS);
  const revoked = await tokens.issue({ userId, tokenVersion: tokenVersion + 1 });
  const gone = await tokens.issue({ userId: newId(), tokenVersion: 1 });
  const [head, payload, signature = ""] = token.split(".");
  const forged = `${head}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
  return [
    { what: "an empty header", authorization: "", code: "INVALID_AUTH_HEADER" },
    { what: "blanks", authorization: "  ", code: "INVALID_AUTH_HEADER" },
    { what: "no scheme", authorization: token, code: "INVALID_AUTH_HEADER_FORMAT" },
    { what: "another scheme", authorization: `Basic ${token}`, code: "INVALID_AUTH_HEADER_FORMAT" },
    { what: "the scheme alone", authorization: "Bearer ", code: "INVALID_AUTH_HEADER_FORMAT" },
    { what: "two tokens", authorization: `Bearer ${token} ${token}`, code: "INVALID_AUTH_HEADER_FORMAT" },
    { what: "no token", authorization: "Bearer nonsense", code: "INVALID_TOKEN" },
    { what: "an expired token", authorization: `Bearer ${expired}`, code: "INVALID_TOKEN" },
    { what: "a forged token", authorization: `Bearer ${forged}`, code: "INVALID_TOKEN" },
    { what: "a revoked token", authorization: `Bearer ${revoked}`, code: "INVALID_TOKEN" },
    { what: "the token of a user who is gone", authorization: `Bearer ${gone}`, code: "INVALID_TOKEN" },
  ];
}
