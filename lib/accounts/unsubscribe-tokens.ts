import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import { key } from "../table/keys.ts";
import { create } from "../table/parts.ts";
import { get, getOrThrow } from "../table/reads.ts";
import { transact } from "../table/transactions.ts";

// A token of the link that ends notifications. It does not expire, outlives every secret of the service and every
// password, and serves for nothing else: it is signed with a random key of its account, of a family of its own.

/** The key that signs the tokens of an account. */
export const SignerItem = z.object({ secret: z.string() });

/** What a token ends: the notifications of one post, by its id, or all. */
export type Scope = string;

function signatureOf(secret: string, signed: string): string {
  return createHmac("sha256", secret).update(signed).digest("base64url");
}

async function secretOf(userId: string): Promise<string> {
  const stored = await getOrThrow(key.unsubscribe(userId), SignerItem);
  if (stored) return stored.secret;
  // Another call may be first.
  await transact({ signer: create(key.unsubscribe(userId), { secret: randomBytes(32).toString("base64url") }) });
  return secretOf(userId);
}

/** Makes what makes the tokens of an account; its first call writes the key. */
export async function tokensOf(userId: string): Promise<(scope: Scope) => string> {
  const secret = await secretOf(userId);
  return (scope) => `${userId}.${scope}.${signatureOf(secret, `${userId}.${scope}`)}`;
}

const TOKEN = /^(?<userId>[0-9a-f-]{36})\.(?<scope>all|[0-9a-f-]{36})\.(?<signature>[\w-]{43})$/;

/** Reads a token; undefined if it is not one of ours. */
export async function read(token: string): Promise<{ userId: string; scope: Scope } | undefined> {
  const { userId = "", scope = "", signature = "" } = TOKEN.exec(token)?.groups ?? {};
  const signer = userId ? await get(key.unsubscribe(userId), SignerItem) : undefined;
  if (!signer) return undefined;
  const expected = signatureOf(signer.secret, `${userId}.${scope}`);
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature)) ? { userId, scope } : undefined;
}
