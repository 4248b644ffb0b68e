import * as z from "zod/mini";
import { isSameShown, NOBODY, type Shown, ShownItem } from "../accounts/users.ts";
import { pinParts } from "../catalogue/pins.ts";
import { type StatusRecord, sameList } from "../catalogue/statuses.ts";
import { type EventRecord, eventParts } from "../events/events.ts";
import { differences, isEmpty, setFields, stillHas } from "../table/changes.ts";
import type { IdempotencyPart } from "../table/idempotency.ts";
import { key, VOTERS_SUFFIX } from "../table/keys.ts";
import { create, type Part, put, remove } from "../table/parts.ts";
import { isAmong, listsOf, type Placement, type PostList, placementFields, placementOf } from "../table/post-lists.ts";
import { get, getMany } from "../table/reads.ts";
import { changeStored } from "../table/retries.ts";
import { transact } from "../table/transactions.ts";
import { idAt, newId } from "../values/ids.ts";
import { isBare, noVoters, STILL_BARE, summary, type Voters, VotersItem } from "../votes/votes.ts";
import { newVoters } from "../votes/weights.ts";
import { listsWithoutOwner, placementParts } from "./placement.ts";
import { statusChangeParts } from "./status-changes.ts";

/** The response of the team: markdown, the status of the post then, when (milliseconds since 1970), and by whom. */
const ResponseItem = z.object({
  text: z.string(),
  status: z.optional(z.string()),
  at: z.number(),
  by: z.optional(z.string()),
});
export type OfficialResponse = z.output<typeof ResponseItem>;

/** The fields of a post besides its id. */
export const postFields = {
  title: z.string(),
  slug: z.string(),
  contentMarkdown: z.optional(z.string()),
  author: ShownItem,
  // The id of who created the post on the author's behalf.
  by: z.optional(z.string()),
  ...placementFields,
  // Earlier slugs of the post, the latest first. They end in its id, by which it is still found.
  oldSlugs: z.optional(z.array(z.string())),
  response: z.optional(ResponseItem),
  // Only the team comments on it. The voters item has the same field, because comments depend on that one.
  isLocked: z.optional(z.literal(true)),
  // It stands above its lists. The pins of the catalogue have its id.
  isPinned: z.optional(z.literal(true)),
  // Milliseconds since 1970; every change makes it greater.
  updatedAt: z.number(),
};

export const PostItem = z.pipe(
  z.object({ sk: z.string().check(z.regex(/^[^#]+$/)), ...postFields }),
  z.transform(({ sk, ...post }) => ({ postId: sk, ...post })),
);

export type PostRecord = z.output<typeof PostItem>;

export type PostWithVoters = { post: PostRecord; voters: Voters };

/** Posts of a page; `lastId`: the last one that was looked at, left out or not. */
export type FoundPosts = { found: PostWithVoters[]; lastId: string | undefined; hasNext: boolean };

type PostOrVoters = PostRecord | Voters;

/** The schema of an item in the partition of posts. */
export function postOrVotersItem(sk: string): typeof PostItem | typeof VotersItem {
  return sk.endsWith(VOTERS_SUFFIX) ? VotersItem : PostItem;
}

export function isPost(item: PostOrVoters): item is PostRecord {
  return "title" in item;
}

export function find(postId: string): Promise<PostRecord | undefined> {
  return get(key.post(postId), PostItem);
}

/** Whether a post is deleted. A post that does not parse still exists, and what is derived from it is not changed. */
export async function isGone(postId: string): Promise<boolean> {
  return (await get(key.post(postId), z.object({ sk: z.string() }))) === undefined;
}

export async function findWithVoters(postId: string): Promise<PostWithVoters | undefined> {
  const [post, voters = noVoters(postId)] = await Promise.all([find(postId), summary(postId)]);
  return post && { post, voters };
}

/** Reads posts with their voters by their ids, in the order of the ids; missing posts are left out. */
export async function findAllWithVoters(postIds: string[]): Promise<PostWithVoters[]> {
  const keys = postIds.flatMap((postId) => [key.post(postId), key.voters(postId)]);
  const found = new Map(withVoters(await getMany(keys, postOrVotersItem)).map((each) => [each.post.postId, each]));
  return postIds.flatMap((postId) => found.get(postId) ?? []);
}

/** Pairs posts with voters. A read can see one half of a transaction: a post without voters is not voted on. */
export function withVoters(items: PostOrVoters[]): PostWithVoters[] {
  const voters = new Map(items.filter((item): item is Voters => !isPost(item)).map((item) => [item.postId, item]));
  return items.filter(isPost).map((post) => ({ post, voters: voters.get(post.postId) ?? noVoters(post.postId) }));
}

/** The parts that create a post with its voters item and its rows by date. Its ranks and words follow (`derive`). */
export function newPostParts(post: PostRecord): Record<string, Part> {
  const { postId, ...item } = post;
  return {
    post: create(key.post(postId), item),
    voters: create(key.voters(postId), newVoters(post)),
    userPost: put(key.userPost(post.author.userId, postId), {}),
    ...(post.isPinned && pinParts(postId, true)),
    ...placementParts(postId, undefined, post),
  };
}

type NoSuchOwner = "no such board" | "no such roadmap" | "no such tag";

function noSuchOwner({ kind }: PostList): NoSuchOwner {
  if (kind === "tag") return "no such tag";
  return kind === "board" ? "no such board" : "no such roadmap";
}

/** Creates a post with its event. */
export async function add(
  post: PostRecord,
  idempotencyPart?: IdempotencyPart<PostRecord>,
): Promise<"added" | NoSuchOwner> {
  const { postId, boardId, author, by = author.userId } = post;
  const outcome = await transact<string>({
    ...newPostParts(post),
    ...eventParts({ type: "post.created", postId, boardId, by }, postId),
    idempotency: idempotencyPart?.(post),
  });
  if (outcome.done) return "added";
  const [list] = listsWithoutOwner(outcome.failed, post);
  if (!list) throw new Error(`a new post was refused because of ${Object.keys(outcome.failed).join(", ")}`);
  return noSuchOwner(list);
}

/**
 * The parts that delete a post as it was read; a tombstone leaves its votes and comments to the sweeper. The parts of a
 * bare post fail if it has any: there is nothing to look for.
 */
export function removalParts(post: PostRecord, gone: PostList[] = [], bare = false): Record<string, Part> {
  const { postId } = post;
  return {
    post: remove(key.post(postId), stillHas({ ...placementOf(post), author: post.author, isPinned: post.isPinned })),
    voters: remove(key.voters(postId), bare ? STILL_BARE : {}),
    userPost: remove(key.userPost(post.author.userId, postId)),
    tombstone: put(key.tombstone(postId), bare ? { isBare: true } : {}),
    ...(post.isPinned && pinParts(postId, false)),
    ...placementParts(postId, post, undefined, gone),
  };
}

/** A post and its voters item, of which there may be none. */
type WithItem = { post: PostRecord; voters?: Voters | undefined };

/** Reads a post as `destroy` deletes it. */
export async function findToDelete(postId: string): Promise<WithItem | undefined> {
  const [post, voters] = await Promise.all([find(postId), summary(postId)]);
  return post && { post, voters };
}

/** Deletes a post as it was read, with its event. Undefined if it is gone, or if the part `report` fails. */
export function destroy(
  asRead: PostRecord,
  by = asRead.author.userId,
  asCounted?: Voters | undefined,
  report?: Part,
): Promise<"deleted" | undefined> {
  const { postId } = asRead;
  // Lists whose board or roadmap was found deleted: the next plan leaves them out.
  const gone: PostList[] = [];
  const read = () => findToDelete(postId);
  const asFound = { post: asRead, voters: asCounted };
  return changeStored<WithItem, "deleted" | undefined>(asFound, read, async ({ post, voters }) => {
    const outcome = await transact<string>({
      report,
      ...removalParts(post, gone, voters && isBare(voters)),
      ...eventParts({ type: "post.deleted", postId, boardId: post.boardId, by }),
    });
    if (outcome.done) return "deleted";
    if (outcome.failed.report) return undefined;
    gone.push(...listsWithoutOwner(outcome.failed, post));
    return "changed meanwhile";
  });
}

/** The part that brings the author shown in a post up to date, if it differs. */
export function authorParts({ postId, author }: PostRecord, shown: Shown): Record<string, Part> {
  return isSameShown(author, shown) ? {} : { [`post ${postId}`]: setFields(key.post(postId), { author: shown }) };
}

/** The parts that take the author from a post. */
export function namelessParts({ postId, author }: PostRecord): Record<string, Part> {
  return {
    post: setFields(key.post(postId), { author: NOBODY }),
    userPost: remove(key.userPost(author.userId, postId)),
    ownPost: put(key.userPost(NOBODY.userId, postId), {}),
  };
}

/** What a change of a post sets. */
type PostChange = Partial<
  Pick<PostRecord, "title" | "slug" | "contentMarkdown" | keyof Placement | "response" | "isLocked" | "isPinned">
>;

const KEPT_SLUGS = 10;

function changedFields(post: PostRecord, change: PostChange): Partial<PostRecord> {
  const fields = differences(post, change);
  if (fields.slug === undefined) return fields;
  const oldSlugs = [post.slug, ...(post.oldSlugs ?? [])].filter((old) => old !== fields.slug);
  return { ...fields, oldSlugs: oldSlugs.slice(0, KEPT_SLUGS) };
}

/**
 * The event of a change. It names the fields that were set: without a slug, which follows from the title, and without
 * the status, which has its own type of event.
 */
function eventOfChange(
  before: PostRecord,
  after: PostRecord,
  fields: Partial<PostRecord>,
  { by, quiet, at }: Pick<EventRecord, "by" | "quiet"> & { at: number | undefined },
): Record<string, Part> {
  const { postId, boardId, status: to } = after;
  const named = Object.keys(fields).filter((name) => !["slug", "oldSlugs", "status"].includes(name));
  const changed = named.map((name) => (name === "tagIds" ? "tags" : name));
  const isOfTeam = "status" in fields || "response" in fields;
  const [type, from] = isOfTeam ? (["post.status_changed", before.status] as const) : (["post.updated"] as const);
  const eventId = at === undefined ? newId() : idAt(at);
  return {
    ...eventParts({ type, postId, boardId, changed, by, quiet, ...(isOfTeam && { from, to }) }, eventId),
    ...("status" in fields && statusChangeParts(postId, eventId, { from, to, by })),
  };
}

type Circumstances<Refusal> = {
  guard?: { status: Part; refusal: Refusal } | undefined;
  /** Whether readers get a mail, by default yes. */
  notify?: boolean | undefined;
  /** When the change is made, in milliseconds since 1970, if that is in the past. */
  at?: number | undefined;
  /** Lists of the post whose board, roadmap or tag is known to be deleted. */
  gone?: PostList[];
};

/**
 * Changes a post as it was read, with its rows and counts; `plan` gives the change for the post as it is then. A change
 * of the status needs the part `guard.status`. `by` is the id of who changes it. Undefined if the post is gone.
 */
export function change<Refusal extends string = never>(
  asRead: PostRecord,
  plan: (post: PostRecord) => PostChange,
  by = asRead.author.userId,
  { guard, notify, at, gone: knownGone = [] }: Circumstances<Refusal> = {},
): Promise<PostRecord | undefined | NoSuchOwner | "too many pinned" | Refusal> {
  const { postId } = asRead;
  // Lists whose board or roadmap was found deleted: the next plan leaves them out.
  const gone = [...knownGone];
  const read = () => find(postId);
  return changeStored(asRead, read, async (post) => {
    const fields = changedFields(post, plan(post));
    if (isEmpty(fields)) return post;
    // Later than before, even if the clock goes back: clients distinguish states of the post by this time.
    const updatedAt = Math.max(at ?? Date.now(), post.updatedAt + 1);
    const after: PostRecord = { ...post, ...fields, updatedAt };
    const asItWas = stillHas({ ...placementOf(post), updatedAt: post.updatedAt });
    const outcome = await transact<string>({
      post: setFields(key.post(postId), { ...fields, updatedAt }, asItWas),
      voters: "isLocked" in fields && setFields(key.voters(postId), { isLocked: fields.isLocked }),
      ...("isPinned" in fields && pinParts(postId, fields.isPinned ?? false)),
      statuses: "status" in fields && guard?.status,
      // None unless a facet changes: rows hold no title, and their words follow later (search/word-rows.ts).
      ...placementParts(postId, post, after, gone),
      ...eventOfChange(post, after, fields, { by, at, ...(notify === false && { quiet: true }) }),
    });
    if (outcome.done) return after;
    // Another call may have pinned this post.
    if (outcome.failed.pins && !outcome.failed.post) return "too many pinned";
    if (guard && outcome.failed.statuses) return guard.refusal;
    const missing = listsWithoutOwner(outcome.failed, post, after);
    const target = missing.find((list) => isAmong(list, listsOf(after)) && !isAmong(list, listsOf(post)));
    if (target) return noSuchOwner(target);
    gone.push(...missing);
    return "changed meanwhile";
  });
}

/** A text becomes the official response, null or an empty one removes it. `check` sees the post, and may throw. */
type Verdict = {
  text?: string | null | undefined;
  /** The roadmap that it also gets, or leaves. */
  move?: { roadmapId?: string | undefined };
  by?: string;
  check?: (post: PostRecord) => void;
  version?: number;
  /** Whether readers get a mail, by default yes. */
  notify?: boolean | undefined;
  /** When it is given, in milliseconds since 1970, if that is in the past. */
  at?: number | undefined;
};

/** Gives a post a status of the list of this `version`; "changed meanwhile" asks the caller to read the list again. */
export async function setStatus(
  asRead: PostRecord,
  { letter, since = 0 }: Pick<StatusRecord, "letter" | "since">,
  { text, move, by, check, version, notify, at }: Verdict = {},
): Promise<PostRecord | undefined | "changed meanwhile" | "no such roadmap"> {
  const given = Math.max(at ?? Date.now(), since);
  const plan = (post: PostRecord): PostChange => {
    check?.(post);
    const { response: before } = post;
    const response =
      text === undefined ? before : responseOf(before, { text: text ?? "", status: letter, at: given, by });
    return { ...move, status: letter, response };
  };
  const guard = version === undefined ? undefined : { status: sameList(version), refusal: "other list" as const };
  const changed = await change(asRead, plan, by, { guard, notify, at });
  if (changed === "other list") return "changed meanwhile";
  if (changed === "no such roadmap") return changed;
  // A status pins no post, and moves it to no board.
  if (typeof changed === "string") throw new Error(`a change was refused: ${changed}`);
  return changed;
}

/** The response after another was given; the same one keeps its time. */
function responseOf(before: OfficialResponse | undefined, after: OfficialResponse): OfficialResponse | undefined {
  if (after.text === "") return undefined;
  return before?.text === after.text && before.status === after.status ? before : after;
}
