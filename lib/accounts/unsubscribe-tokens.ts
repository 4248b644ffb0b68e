import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import { key } from "../table/keys.ts";
import { check, create } from "../table/parts.ts";
import { get, getOrThrow } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";

// A token of the link that ends notifications: its scope is a post by its id, `all`, `new-posts` or `digest`. It does
// not expire, and stays valid when secrets of the service or passwords change. A random key of the account signs it,
// and nothing else.

/** The key that signs the tokens of an account. */
export const SignerItem = z.object({ secret: z.string() });

function signatureOf(secret: string, signed: string): string {
  return createHmac("sha256", secret).update(signed).digest("base64url");
}

async function secretOf(userId: string): Promise<string> {
  const stored = await getOrThrow(key.unsubscribe(userId), SignerItem);
  if (stored) return stored.secret;
  // A parallel call may have written it first.
  await transact({
    signer: create(key.unsubscribe(userId), { secret: randomBytes(32).toString("base64url") }),
    // It may just have been erased.
    user: check(key.user(userId), { if: "attribute_exists(pk)" }),
  });
  return secretOf(userId);
}

/** Returns the function that makes an account's tokens. The first call for an account writes its key. */
export async function tokensOf(userId: string): Promise<(scope: string) => string> {
  const secret = await secretOf(userId);
  return (scope) => `${userId}.${scope}.${signatureOf(secret, `${userId}.${scope}`)}`;
}

const TOKEN = /^(?<userId>[0-9a-f-]{36})\.(?<scope>all|new-posts|digest|[0-9a-f-]{36})\.(?<signature>[\w-]{43})$/;

/** Reads a token; undefined if its signature is wrong. */
export async function read(token: string): Promise<{ userId: string; scope: string } | undefined> {
  const { userId = "", scope = "", signature = "" } = TOKEN.exec(token)?.groups ?? {};
  const signer = userId ? await get(key.unsubscribe(userId), SignerItem) : undefined;
  if (!signer) return undefined;
  const expected = signatureOf(signer.secret, `${userId}.${scope}`);
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature)) ? { userId, scope } : undefined;
}
