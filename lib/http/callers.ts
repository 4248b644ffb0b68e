import type { APIGatewayProxyEventV2 } from "aws-lambda";
import * as apiKeys from "../accounts/api-keys.ts";
import * as users from "../accounts/users.ts";
import { isKey, isSameHash, type KeyClaims, readKey } from "../auth/api-keys.ts";
import type { Rights } from "../auth/permissions.ts";
import { type SessionClaims, verify } from "../auth/tokens.ts";
import { fromEnvironment } from "../runtime/environment.ts";
import { ApiError } from "../runtime/errors.ts";
import * as log from "../runtime/log.ts";
import { headerOf } from "./headers.ts";

/** The account that calls, with its rights. A session has `signedInAt`, in ms since 1970; an API key has its scopes. */
export type Caller = users.UserRecord & Rights & { signedInAt?: number };

const FRESH_MS = 10 * 60 * 1000;

/** Whether a caller signed in within the last ten minutes: what a thief of a token must not do asks for it. */
export function isFresh({ signedInAt = 0 }: Caller): boolean {
  return Date.now() <= signedInAt + FRESH_MS;
}

/** The claims of a bearer token: signed in the token of a session, unverified in an API key until it is looked up. */
export type Claims = SessionClaims | KeyClaims;

export function isOfKey(claims: Claims): claims is KeyClaims {
  return "keyId" in claims;
}

const BEARER = /^bearer[ \t]+([^ \t]+)$/i;

/** The claims of the call's token. Without a token that can be valid: undefined, or an ApiError if one is required. */
export async function claimsIn(event: APIGatewayProxyEventV2, isRequired: boolean): Promise<Claims | undefined> {
  const header = headerOf(event, "authorization")?.trim();
  const token = BEARER.exec(header ?? "")?.[1];
  if (token === undefined) {
    if (isRequired) throw new ApiError(header ? "INVALID_AUTH_HEADER_FORMAT" : "INVALID_AUTH_HEADER");
    return undefined;
  }
  const claims = await (isKey(token) ? readKey(token) : verify(token));
  if (!claims && isRequired) throw new ApiError("INVALID_TOKEN");
  return claims;
}

/** The account of a token or an API key; undefined if the account is deleted, or the token or key has ended. */
export function callerOf(claims: Claims): Promise<Caller | undefined> {
  return isOfKey(claims) ? holderOf(claims) : signedIn(claims);
}

// Age and signing key: `verify`. A logout and a new password change the version: users.endSessions, setPassword.
async function signedIn({ userId, tokenVersion, issuedAt }: SessionClaims): Promise<Caller | undefined> {
  const user = await users.find(userId);
  return user?.tokenVersion === tokenVersion ? { ...user, signedInAt: issuedAt } : undefined;
}

const notedUses = fromEnvironment(() => new Set<string>());

/**
 * Notes the day on which a key is used: each container writes once a day for each key, and all but the first of these
 * writes change nothing. The call does not fail by it.
 */
export async function noteUse({ userId, keyId }: KeyClaims): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const use = `${keyId} ${day}`;
  if (notedUses().has(use)) return;
  notedUses().add(use);
  await apiKeys.noteUse(userId, keyId, day).catch((error: unknown) => {
    notedUses().delete(use);
    log.warn("the use of an API key could not be recorded", { error });
  });
}

async function holderOf({ userId, keyId, hash }: KeyClaims): Promise<Caller | undefined> {
  const [user, apiKey] = await Promise.all([users.find(userId), apiKeys.find(userId, keyId)]);
  if (!user || user.role === "suspended" || !apiKey || !isSameHash(hash, apiKey.hash)) return undefined;
  const { scopes, endsAt } = apiKey;
  return endsAt > Date.now() ? { ...user, scopes } : undefined;
}
