import { hash } from "node:crypto";
import * as z from "zod/mini";
import type { ActiveUser } from "../../accounts/active-users.ts";
import type { UsedKey } from "../../accounts/api-keys.ts";
import { waitedFor } from "../../accounts/new-address.ts";
import { type Shown, ShownRole, type UserRecord } from "../../accounts/users.ts";
import { createdAt } from "../../values/ids.ts";
import { LANGUAGES } from "../../values/languages.ts";

// Made from the id: the hash of an e-mail address would reveal the address.
function avatarOf(userId: string): string {
  return `https://www.gravatar.com/avatar/${hash("sha256", userId)}?d=identicon`;
}

/** An account with the token that signs it in: docs/contract.md#user */
export const User = z.object({
  authToken: z.string(),
  userId: z.string(),
  name: z.string(),
  username: z.string(),
  email: z.string(),
  avatar: z.string(),
});
export type User = z.infer<typeof User>;

/** The caller's own account; `newEmail` is the address that waits for its confirmation. */
export const Profile = z.extend(z.omit(User, { authToken: true }), {
  isNamed: z.boolean(),
  isVerified: z.boolean(),
  newEmail: z.nullable(z.string()),
  language: z.nullable(z.enum(LANGUAGES)),
  twoFactor: z.boolean(),
});
export type Profile = z.infer<typeof Profile>;

export function profileView(user: UserRecord): Profile {
  const { userId, name, username, email, isVerified = false, language = null, twoFactor = false } = user;
  const newEmail = waitedFor(user) ?? null;
  const isNamed = !user.isUnnamed;
  return {
    userId,
    name,
    isNamed,
    username,
    email,
    isVerified,
    newEmail,
    language,
    twoFactor,
    avatar: avatarOf(userId),
  };
}

export function userView(user: UserRecord, authToken: string): User {
  return { authToken, ...profileView(user) };
}

/** The account whose password a link of a mail sets. */
export const ResetAccount = z.object({ email: z.string(), name: z.string(), role: z.string() });

/** An account as the owner manages it. */
export const ManagedUser = z.extend(z.omit(Profile, { isNamed: true, newEmail: true, language: true }), {
  role: z.string(),
  createdAt: z.string(),
  invitedAt: z.nullable(z.string()),
});
export type ManagedUser = z.infer<typeof ManagedUser>;

export function managedUserView(user: UserRecord): ManagedUser {
  const { isNamed: _, newEmail: __, language: ___, ...shown } = profileView(user);
  const { role, userId, isVerified, invitedAt } = user;
  const isWaiting = invitedAt !== undefined && !isVerified;
  return {
    ...shown,
    role,
    createdAt: createdAt(userId),
    invitedAt: isWaiting ? new Date(invitedAt).toISOString() : null,
  };
}

/** A role in the shape of LogChimp. */
export const UserRole = z.object({ id: z.string(), name: z.string(), isSystem: z.boolean(), user_role_id: z.string() });

/** An account in the owner's list; `posts` and `votes` are decimal strings for LogChimp's front end. */
export const ListedUser = z.extend(ManagedUser, {
  roles: z.array(UserRole),
  postsCount: z.number(),
  votesCount: z.number(),
  posts: z.string(),
  votes: z.string(),
});
export type ListedUser = z.infer<typeof ListedUser>;

export function listedUserView({ posts, votes, ...user }: ActiveUser): ListedUser {
  const { role, userId } = user;
  return {
    ...managedUserView(user),
    // An account has one role, so the role's name and the account's id identify it.
    roles: role === "member" ? [] : [{ id: role, name: role, isSystem: true, user_role_id: userId }],
    postsCount: posts,
    votesCount: votes,
    posts: String(posts),
    votes: String(votes),
  };
}

/** The author of a post, a comment or a vote: docs/contract.md#author */
export const Author = z.object({
  userId: z.string(),
  name: z.string(),
  avatar: z.string(),
  username: z.string(),
  role: z.optional(ShownRole),
});

export function authorView({ userId, name, username, role }: Shown) {
  return { userId, name, avatar: avatarOf(userId), username, ...(role && { role }) };
}

/** An API key, without its secret. */
export const ApiKey = z.object({
  keyId: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  lastFour: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  lastUsedOn: z.nullable(z.string()),
});
export type ApiKey = z.infer<typeof ApiKey>;

export function apiKeyView({ keyId, name, scopes, lastFour, endsAt, usedOn }: UsedKey): ApiKey {
  return {
    keyId,
    name,
    scopes,
    lastFour,
    createdAt: createdAt(keyId),
    expiresAt: new Date(endsAt).toISOString(),
    lastUsedOn: usedOn ?? null,
  };
}
