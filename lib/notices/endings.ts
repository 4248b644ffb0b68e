import { getsNewPosts, preferencesOf } from "../accounts/preferences.ts";
import * as site from "../accounts/site.ts";
import * as unsubscribeTokens from "../accounts/unsubscribe-tokens.ts";
import * as users from "../accounts/users.ts";
import * as boards from "../catalogue/boards.ts";
import { type Ending, unsubscribePage } from "../mail/unsubscribe-page.ts";
import * as posts from "../posts/posts.ts";
import * as subscriptions from "../posts/subscriptions.ts";

/** The rights that `endingOf` and `pageOf` use, for `table` in a definition. */
export const READS_ENDINGS = {
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

async function endingOfPost(userId: string, postId: string): Promise<Ending> {
  const [post, choice] = await Promise.all([posts.find(postId), subscriptions.choiceOf(userId, postId)]);
  // A deleted post has no news.
  return { scope: "post", title: post && (await titleOf(post)), isEnded: choice === false || !post };
}

async function endingOfAll(userId: string): Promise<Ending> {
  const user = await users.find(userId);
  return { scope: "all", isEnded: !user || !(getsNewPosts(user) || Object.values(preferencesOf(user)).includes(true)) };
}

async function endingOfNewPosts(userId: string): Promise<Ending> {
  const user = await users.find(userId);
  return { scope: "new-posts", isEnded: !user || !getsNewPosts(user) };
}

/** Which mails the token of a link ends, and whether they have ended; undefined for a token that is not one of ours. */
export async function endingOf(token: string): Promise<Ending | undefined> {
  const found = await unsubscribeTokens.read(token);
  if (!found) return undefined;
  const { userId, scope } = found;
  if (scope === "new-posts") return endingOfNewPosts(userId);
  return scope === "all" ? endingOfAll(userId) : endingOfPost(userId, scope);
}

/** The page for a token, as it is now, in the language that its reader accepts. */
export async function pageOf(token: string, accepted: string | undefined) {
  const [ending, ofSite] = await Promise.all([endingOf(token), site.find()]);
  return unsubscribePage(ending, ofSite, accepted);
}
