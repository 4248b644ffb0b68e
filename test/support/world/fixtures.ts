import * as apiKeys from "../../../lib/accounts/api-keys.ts";
import type * as exports from "../../../lib/accounts/exports.ts";
import { register } from "../../../lib/accounts/new-users.ts";
import type { Role } from "../../../lib/accounts/roles.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import { newAccount, openAccount } from "../../../lib/auth/accounts.ts";
import { newKey } from "../../../lib/auth/api-keys.ts";
import * as passwords from "../../../lib/auth/passwords.ts";
import { scopes as allScopes } from "../../../lib/auth/permissions.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import * as roadmaps from "../../../lib/catalogue/roadmaps.ts";
import * as tags from "../../../lib/catalogue/tags.ts";
import type { AuditRecord } from "../../../lib/events/audit.ts";
import { recordPart } from "../../../lib/events/audit-part.ts";
import { eventTypes } from "../../../lib/events/events.ts";
import * as journal from "../../../lib/moving/journal.ts";
import { addComment } from "../../../lib/posts/comment-changes.ts";
import type * as comments from "../../../lib/posts/comments.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as providers from "../../../lib/providers/providers.ts";
import { setFields } from "../../../lib/table/changes.ts";
import { key } from "../../../lib/table/keys.ts";
import { put } from "../../../lib/table/parts.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { idAt, newId, timeOf } from "../../../lib/values/ids.ts";
import { slugOf } from "../../../lib/values/slugs.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import * as webhooks from "../../../lib/webhooks/webhooks.ts";

// Prepares data for a test, always through lib. The actions of people: test/support/portal.ts.

let number = 0;
function next(): number {
  return ++number;
}

/** Continues to count from a number: names after it are the same each time. */
export function countFrom(start: number): void {
  number = start;
}

/** An account with its token; no password fits it, so that building one costs no hashing. */
export type Person = users.UserRecord & { token: string };

export async function aUser(role: Role = "member", name = `Person ${next()}`): Promise<Person> {
  const { user } = await openAccount(
    () => newAccount(`person.${next()}.${newId()}@example.com`, name, role),
    (account) => register(account, "no password"),
  );
  return { ...user, token: await tokens.issue(user) };
}

/** Makes an account that a password fits; its welcome mail waits in the outbox unless it is made without. */
export async function anAccount(
  password: string,
  { role = "member", welcome = false }: { role?: Role; welcome?: boolean } = {},
): Promise<Person> {
  const user = newAccount(`person.${next()}.${newId()}@example.com`, `Person ${next()}`, role);
  await register(user, await passwords.hash(password), { mail: welcome && "welcome" });
  return { ...user, token: await tokens.issue(user) };
}

export function aMember(name?: string): Promise<Person> {
  return aUser("member", name);
}

/** Makes an account with a confirmed address, which gets mails. */
export async function aReader(role: Role = "member"): Promise<Person> {
  const reader = await aUser(role);
  await transact({ user: setFields(key.user(reader.userId), { isVerified: true }) });
  return reader;
}

/** Sets a site up. Its owner has a confirmed address, and gets mails. */
export async function anOwner(): Promise<Person> {
  const account = { ...newAccount(`owner.${newId()}@example.com`, "Olga", "owner"), isVerified: true };
  await site.setUp("Wishes", account, "no password", site.firstBoard(newId()));
  return { ...account, token: await tokens.issue(account) };
}

/** An API key: the text that only its owner gets, and the stored item. */
export type Key = { text: string; record: apiKeys.ApiKeyRecord };

/** Makes an API key of an account, of any role; without scopes it has them all. */
export async function aKey(
  account: Pick<users.UserRecord, "userId" | "role" | "tokenVersion">,
  scopes: readonly string[] = allScopes,
  fields: Partial<apiKeys.ApiKeyRecord> = {},
): Promise<Key> {
  const keyId = newId();
  const { text, hash } = newKey(account.userId, keyId);
  const own = { hash, lastFour: text.slice(-4), endsAt: Date.now() + apiKeys.LIFE_MS };
  const record = { keyId, name: `Key ${next()}`, scopes: [...scopes], ...own, ...fields };
  const outcome = await apiKeys.add(account, record);
  if (outcome !== "added") throw new Error(outcome);
  return { text, record };
}

/** Makes a board; `at` (milliseconds since 1970) puts its making into the past. */
export async function aBoard({ at, ...given }: Partial<boards.BoardRecord> & { at?: number } = {}) {
  const n = next();
  const board: boards.BoardRecord = {
    boardId: at === undefined ? newId() : idAt(at),
    name: `Board ${n}`,
    url: `board-${n}`,
    color: "aa00ff",
    display: true,
    viewVoters: true,
    postCount: 0,
    ...given,
  };
  await boards.add(board);
  return board;
}

/** Makes a roadmap; the index counts up unless given. */
export async function aRoadmap({ at, ...given }: Partial<roadmaps.RoadmapRecord> & { at?: number } = {}) {
  const n = next();
  const roadmap: roadmaps.RoadmapRecord = {
    roadmapId: at === undefined ? newId() : idAt(at),
    name: `Roadmap ${n}`,
    url: `roadmap-${n}`,
    color: "00aaff",
    display: true,
    index: n,
    ...given,
  };
  await roadmaps.add(roadmap);
  return roadmap;
}

/** Makes a tag. */
export async function aTag(given: Partial<tags.TagRecord> = {}): Promise<tags.TagRecord> {
  const tag = { tagId: newId(), name: `Tag ${next()}`, color: "aaff00", ...given };
  const outcome = await tags.add(tag);
  if (outcome !== "added") throw new Error(outcome);
  return tag;
}

/** Puts the last change of the catalogue into the past, so that a process keeps what it reads of it. */
export async function settleCatalogue(): Promise<void> {
  await transact({ stamp: put(key.catalogueStamp(), { stamp: idAt(Date.now() - 60_000) }) });
}

/** What a test says about a post; `at` (milliseconds since 1970) puts its making into the past. */
export type PostFields = Partial<Omit<posts.PostRecord, "author">> & { at?: number };

export function postOf(person: users.Person, { at, ...given }: PostFields = {}): posts.PostRecord {
  const postId = at === undefined ? newId() : idAt(at);
  const title = given.title ?? `Post ${next()}`;
  const author = users.shownOf(person);
  return { postId, title, slug: slugOf(title, postId), author, updatedAt: timeOf(postId), ...given };
}

export async function aPost(author: users.Person, fields: PostFields = {}): Promise<posts.PostRecord> {
  const post = postOf(author, fields);
  const outcome = await posts.add(post);
  if (outcome !== "added") throw new Error(outcome);
  return post;
}

export async function aComment(
  postId: string,
  author: users.Person,
  fields: Partial<comments.CommentRecord> = {},
): Promise<comments.CommentRecord> {
  const comment = {
    ...{ postId, commentId: newId(), author: users.shownOf(author), body: `Comment ${next()}`, isInternal: false },
    ...fields,
  };
  const outcome = await addComment(comment);
  if (outcome !== "added") throw new Error(outcome);
  return comment;
}

/** Makes a record of the audit log; `at` (milliseconds since 1970) puts it into the past. */
export async function aRecord(
  by: Pick<users.UserRecord, "userId">,
  { at, ...fields }: Partial<AuditRecord> & { at?: number } = {},
): Promise<AuditRecord> {
  const recordId = at === undefined ? newId() : idAt(at);
  const record: AuditRecord = { recordId, action: "board.updated", by: by.userId, role: "owner", ...fields };
  await transact({ record: recordPart(record) });
  return record;
}

export async function aWebhook(
  { userId }: users.Person,
  fields: Partial<webhooks.WebhookRecord> = {},
): Promise<{ webhook: webhooks.WebhookRecord; secret: string }> {
  const url = "https://hook.example/feedback";
  const rest = { url, events: [...eventTypes], isDisabled: false, failures: 0 };
  const webhook = { webhookId: newId(), userId, ...rest, ...fields };
  const secret = await webhooks.add(webhook);
  if (secret === "too many") throw new Error(secret);
  return { webhook, secret };
}

export async function aVote(postId: string, voter: users.Person): Promise<votes.VoteRecord> {
  const outcome = await voting.cast(postId, voter, { voters: await votes.summary(postId) });
  if (typeof outcome === "string") throw new Error(outcome);
  return outcome.voted;
}

/** A voter without an account: for tests with many voters. */
export function aStranger(): users.Person {
  const userId = newId();
  return { userId, name: `Stranger ${next()}`, username: `stranger_${userId.slice(-8)}` };
}

export async function strangersVote(postId: string, count: number): Promise<votes.VoteRecord[]> {
  const cast = [];
  for (let n = 0; n < count; n++) cast.push(await aVote(postId, aStranger()));
  return cast;
}

/** Makes the journal of an import, with the report of a run. */
export async function anImport(name = "fider"): Promise<void> {
  await journal.begin(name, "fider");
  const found = { accounts: 12, boards: 1, roadmaps: 0, statuses: 5, posts: 7, votes: 30, comments: 2 };
  const kinds = [{ problem: "votes.csv: voter … is of nobody with an address: the row is left out", count: 3 }];
  await journal.finish(name, { found, problems: 3, kinds });
}

/** Makes the last export of the site; without fields it is ready. */
export async function aSiteExport(fields: Partial<exports.LastExport> = {}): Promise<exports.LastExport> {
  const counts = { accounts: 1, boards: 1, roadmaps: 0, statuses: 5, posts: 0, votes: 0, comments: 0 };
  const now = Date.now();
  const made: exports.LastExport = {
    exportId: newId(),
    format: "jsonl",
    at: now,
    readyAt: now,
    bytes: 1000,
    counts,
    ...fields,
  };
  await transact({ last: put(key.lastExport(), made) });
  return made;
}

/** Makes a sign-in provider, live unless `fields` says otherwise. */
export async function aProvider(
  { issuer, clientId, clientSecret }: Pick<providers.ProviderWithSecret, "issuer" | "clientId" | "clientSecret">,
  fields: Partial<providers.ProviderRecord> = {},
): Promise<providers.ProviderRecord> {
  const provider = {
    providerId: newId(),
    name: `Provider ${next()}`,
    issuer,
    clientId,
    scopes: ["openid", "email", "profile"],
    claims: { email: "email", emailVerified: "email_verified", name: "name" },
    staff: false,
    enabled: true,
    endpoints: {
      authorizationUrl: `${issuer}/authorize`,
      tokenUrl: `${issuer}/token`,
      keysUrl: `${issuer}/keys`,
      authentication: "client_secret_basic" as const,
    },
    testedAt: Date.now(),
    version: 1,
    ...fields,
  };
  const outcome = await providers.add({ ...provider, clientSecret });
  if (outcome !== "added") throw new Error(outcome);
  return provider;
}
