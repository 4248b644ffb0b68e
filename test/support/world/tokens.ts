import * as tokens from "../../../lib/auth/tokens.ts";
import { newId } from "../../../lib/values/ids.ts";
import type { Person } from "./fixtures.ts";

const WEEKS = 8 * 24 * 60 * 60 * 1000;

/** Headers that must not speak for a user; all forged tokens are in test/security/corpus.ts. */
export async function badTokens(person: Person): Promise<Record<string, string>> {
  const { userId, tokenVersion, token } = person;
  const expired = await tokens.issue(person, Date.now() - WEEKS);
  const revoked = await tokens.issue({ userId, tokenVersion: tokenVersion + 1 });
  const gone = await tokens.issue({ userId: newId(), tokenVersion: 1 });
  const [head, payload, signature = ""] = token.split(".");
  const forged = `${head}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
  return {
    "an empty header": "",
    blanks: "  ",
    "no scheme": token,
    "another scheme": `Basic ${token}`,
    "the scheme alone": "Bearer ",
    "two tokens": `Bearer ${token} ${token}`,
    "no token": "Bearer nonsense",
    "an expired token": `Bearer ${expired}`,
    "a forged token": `Bearer ${forged}`,
    "a revoked token": `Bearer ${revoked}`,
    "the token of a user who is gone": `Bearer ${gone}`,
  };
}
