import { allMailsOf, getsDigest, getsNewPosts } from "../accounts/preferences.ts";
import * as site from "../accounts/site.ts";
import * as unsubscribeTokens from "../accounts/unsubscribe-tokens.ts";
import * as users from "../accounts/users.ts";
import * as boards from "../catalogue/boards.ts";
import { type UnsubscribeState, unsubscribePage } from "../mail/unsubscribe-page.ts";
import * as posts from "../posts/posts.ts";
import * as subscriptions from "../posts/subscriptions.ts";

/** The rights that `unsubscribeStateOf` and `pageOf` use, for `table` in a definition. */
export const READS_UNSUBSCRIBE_STATE = {
  UNSUBSCRIBE: ["get"],
  USER: ["get"],
  SUBSCRIPTIONS: ["get"],
  POSTS: ["get"],
  CATALOGUE: ["get"],
} as const;

/** The title of a post that everybody may read. */
async function titleOf({ title, boardId }: posts.PostRecord): Promise<string | undefined> {
  const board = boardId === undefined ? undefined : await boards.find(boardId);
  return board?.display === false ? undefined : title;
}

async function stateOfPost(userId: string, postId: string): Promise<UnsubscribeState> {
  const [post, choice] = await Promise.all([posts.find(postId), subscriptions.choiceOf(userId, postId)]);
  // A deleted post has no news.
  return { scope: "post", postId, title: post && (await titleOf(post)), isEnded: choice === false || !post };
}

async function stateOfAll(userId: string): Promise<UnsubscribeState> {
  const user = await users.find(userId);
  return { scope: "all", isEnded: !user || !Object.values(allMailsOf(user)).includes(true) };
}

async function stateOfTeamMails(userId: string, scope: "new-posts" | "digest"): Promise<UnsubscribeState> {
  const user = await users.find(userId);
  const gets = scope === "digest" ? getsDigest : getsNewPosts;
  return { scope, isEnded: !user || !gets(user) };
}

/** Which mails the token of a link ends, and whether they have ended; undefined for a token that is not one of ours. */
export async function unsubscribeStateOf(token: string): Promise<UnsubscribeState | undefined> {
  const found = await unsubscribeTokens.read(token);
  if (!found) return undefined;
  const { userId, scope } = found;
  if (scope === "new-posts" || scope === "digest") return stateOfTeamMails(userId, scope);
  return scope === "all" ? stateOfAll(userId) : stateOfPost(userId, scope);
}

/** The page for a token, as it is now, in the language that its reader accepts. */
export async function pageOf(token: string, accepted: string | undefined) {
  const [state, ofSite] = await Promise.all([unsubscribeStateOf(token), site.find()]);
  return unsubscribePage(state, ofSite, accepted);
}
