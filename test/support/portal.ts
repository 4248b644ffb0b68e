import { expect } from "vitest";
import type { AllMails } from "../../lib/accounts/preferences.ts";
import * as renames from "../../lib/cleanup/renames.ts";
import type * as resource from "../../lib/http/resources.ts";
import * as due from "../../lib/table/due.ts";
import { SETTLE_MS } from "../../lib/table/settling.ts";
import { invoke, type Reply, success } from "./http/invoke.ts";

// The actions of people on a portal, through its endpoints, as gateway events: `portal.vote(post, grace)`.
// world/fixtures.ts prepares data. A verb that writes returns the reply, for success() or refusal(); a noun returns
// what the answer shows.

/** A person, a session or an API key; undefined is a visitor. */
type Caller = { token: string } | undefined;

type Post = { postId: unknown };
type Query = Record<string, string>;

export function post(body: unknown, by: Caller): Promise<Reply> {
  return invoke("posts-create", { token: by?.token, body });
}

export function changePost(post: Post, change: object, by: Caller): Promise<Reply> {
  return invoke("posts-update", { token: by?.token, body: { id: post.postId, ...change } });
}

export function deletePost(post: Post, by: Caller): Promise<Reply> {
  return invoke("posts-delete", { token: by?.token, body: { id: post.postId } });
}

export function setStatus({ postId }: { postId: string }, body: object, by: Caller): Promise<Reply> {
  return invoke("posts-set-status", { token: by?.token, params: { postId }, body });
}

/** Gives a post these tags, by their ids. */
export function setTags({ postId }: { postId: string }, tags: unknown, by: Caller): Promise<Reply> {
  return invoke("posts-set-tags", { token: by?.token, params: { postId }, body: { tags } });
}

/** Decides held and reported posts and comments, by their ids, and by the entries that were seen. */
export function decide(decision: string, ids: string[], by: Caller, entries?: string[]): Promise<Reply> {
  return invoke("moderation-decide", { token: by?.token, body: { decision, ids, entries } });
}

/** Withdraws a held post or comment. */
export function withdraw(heldId: string, by: Caller): Promise<Reply> {
  return invoke("users-withdraw", { token: by?.token, params: { heldId } });
}

export function vote({ postId }: Post, by: Caller): Promise<Reply> {
  return invoke("votes-add", { token: by?.token, body: { postId } });
}

export function unvote({ postId }: Post, by: Caller): Promise<Reply> {
  return invoke("votes-remove", { token: by?.token, body: { postId } });
}

export function comment({ postId }: { postId: string }, body: object, by: Caller): Promise<Reply> {
  return invoke("comments-create", { token: by?.token, params: { postId }, body });
}

export function follow({ postId }: { postId: string }, by: Caller, isFollowing = true): Promise<Reply> {
  return invoke("posts-follow", { token: by?.token, params: { postId }, body: { isFollowing } });
}

export function leave(post: { postId: string }, by: Caller): Promise<Reply> {
  return follow(post, by, false);
}

export async function isFollowing({ postId }: { postId: string }, by: Caller): Promise<boolean> {
  const reply = await invoke("posts-subscription", { token: by?.token, params: { postId } });
  return success(reply, 200).subscription.isFollowing;
}

/** Chooses an account's notifications: the defaults, with this choice. */
export function chooseMails(choice: object, by: Caller): Promise<Reply> {
  const body = { status: true, comments: false, replies: true, ...choice };
  return invoke("users-update-notifications", { token: by?.token, body });
}

export function changeRole({ userId }: { userId: string }, role: string, by: Caller): Promise<Reply> {
  return invoke("users-update", { token: by?.token, params: { userId }, body: { role } });
}

/** The account's notifications. */
export async function mails(by: Caller): Promise<AllMails> {
  return success(await invoke("users-notifications", { token: by?.token }), 200).mail;
}

/** Opens the link of a mail in a browser, or presses the button of its page. */
export async function openLink(
  how: "open" | "press",
  token: string | undefined,
  headers: Record<string, string> = {},
): Promise<string> {
  const name = how === "open" ? "users-unsubscription" : "users-unsubscribe";
  const query = token === undefined ? {} : { token };
  return (await invoke(name, { query, headers: { accept: "text/html,*/*", ...headers } })).body;
}

/** Ends notifications as mail programs do. */
export function unsubscribe(token: string | undefined): Promise<Reply> {
  return invoke("users-unsubscribe", { ...(token !== undefined && { query: { token } }) });
}

export function rename(name: unknown, by: Caller): Promise<Reply> {
  return invoke("users-update-profile", { token: by?.token, body: { name } });
}

export function setUp(body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return invoke("auth-set-up", { body, headers });
}

export function signUp(body: unknown): Promise<Reply> {
  return invoke("auth-sign-up", { body });
}

export function logIn(email: unknown, password: unknown): Promise<Reply> {
  return invoke("auth-log-in", { body: { email, password } });
}

/** The caller's own account: a test's way to ask whether a token is valid. */
export function profile(by: Caller): Promise<Reply> {
  return invoke("users-profile", { token: by?.token });
}

export function open(slug: unknown, by?: Caller): Promise<Reply> {
  return invoke("posts-by-slug", { token: by?.token, body: { slug } });
}

export async function shownPost({ slug }: { slug: string }, by?: Caller): Promise<resource.Post> {
  return success(await open(slug, by), 200).post;
}

/** A page of posts; with `first` in the filter it also has paging fields. */
export async function page(filter: object = {}, by?: Caller): Promise<Reply["body"]> {
  return success(await invoke("posts-list", { token: by?.token, body: filter }), 200);
}

export async function list(filter: object = {}, by?: Caller): Promise<resource.Post[]> {
  return (await page(filter, by)).posts;
}

export async function ids(filter: object = {}, by?: Caller): Promise<string[]> {
  return (await list(filter, by)).map(({ postId }) => postId);
}

export async function boards(by: Caller, query: Query = { limit: "100" }): Promise<resource.BoardListItem[]> {
  return success(await invoke("boards-list", { token: by?.token, query }), 200).boards;
}

/** The first hundred roadmaps, hidden ones too where the caller may see them. */
export async function roadmaps(by: Caller): Promise<resource.RoadmapListItem[]> {
  const query = { first: "100", visibility: "public,private" };
  return success(await invoke("roadmaps-list", { token: by?.token, query }), 200).results;
}

/** The votes on a post, in the order they were cast. */
export async function votes({ postId }: { postId: string }, by?: Caller, query: Query = {}): Promise<Reply["body"]> {
  return success(await invoke("posts-votes", { token: by?.token, params: { postId }, query }), 200).votes;
}

/** The comments on a post, newest first. */
export async function activity({ postId }: { postId: string }, by?: Caller, query: Query = {}): Promise<Reply["body"]> {
  return success(await invoke("comments-list", { token: by?.token, params: { postId }, query }), 200);
}

/** Asks for page after page by cursor, up to the last. Returns all answers. */
export async function walk<Page extends { page_info: { has_next_page: boolean; end_cursor: string | null } }>(
  pageAfter: (cursor: { after?: string }) => Promise<Page>,
): Promise<Page[]> {
  const pages = [await pageAfter({})];
  for (let last = pages[0]; last?.page_info.has_next_page; last = pages.at(-1)) {
    pages.push(await pageAfter({ after: last.page_info.end_cursor as string }));
  }
  return pages;
}

/** Carries out the waiting renames, both walks; nothing else may write. */
export async function finishRenames(): Promise<void> {
  for (const jobId of await due.waitingIds("RENAMES")) {
    await renames.carryOut(jobId);
    expect(await renames.carryOut(jobId, settled())).toBe("done");
  }
}

/** The time at which the second walk of a rename may begin. */
export function settled(): number {
  return Date.now() + SETTLE_MS + 1;
}
