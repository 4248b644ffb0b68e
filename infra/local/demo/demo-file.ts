import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import * as catalogue from "../../../lib/catalogue/catalogue.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { environment } from "../../../lib/runtime/environment.ts";
import * as demo from "./demo-set.ts";
import { accountOf, startOfDemo } from "./people.ts";
import { postIdOf } from "./posts.ts";

/** The content of demo.json: the ids and tokens of the demo set, for tests and tours. */
export type DemoFile = {
  baseUrl: string;
  ownerToken: string;
  moderatorToken: string;
  memberToken: string;
  /** The token of the suspended account. */
  restrictedToken: string;
  /** A token of the member that has expired. */
  expiredToken: string;
  accounts: { email: string; password: string; role: string; userId: string }[];
  boards: { boardId: string; name: string; url: string }[];
  roadmaps: { id: string; name: string; url: string; display: boolean; index: number }[];
  posts: { postId: string; slug: string; boardId: string | null; roadmapId: string | null }[];
};

/** The content of the demo file: tokens of the accounts, ids and urls of what the demo set made. */
export async function demoFile(baseUrl: string): Promise<DemoFile> {
  const start = await startOfDemo();
  const [{ boards, roadmaps }, found] = await Promise.all([
    catalogue.read(),
    Promise.all(demo.posts.map((post) => posts.find(postIdOf(post, start)))),
  ]);
  return {
    baseUrl,
    ...(await tokensOfDemo()),
    boards: boards.map(({ boardId, name, url }) => ({ boardId, name, url })),
    roadmaps: roadmaps.map(({ roadmapId: id, name, url, display, index }) => ({ id, name, url, display, index })),
    posts: found
      .filter((post) => post !== undefined)
      .map(({ postId, slug, boardId = null, roadmapId = null }) => ({ postId, slug, boardId, roadmapId })),
  };
}

async function tokensOfDemo(): Promise<Omit<DemoFile, "baseUrl" | "boards" | "roadmaps" | "posts">> {
  const owner = (await users.find((await site.find())?.ownerId ?? "")) ?? (await accountOf(demo.owner.email));
  const [moderator, member, suspended] = await Promise.all(
    [demo.moderator, demo.member, demo.suspended].map(({ email }) => accountOf(email)),
  );
  const all = [owner, moderator, member, suspended].filter((user) => user !== undefined);
  const [ownerToken = "", moderatorToken = "", memberToken = "", restrictedToken = ""] = await Promise.all(
    all.map((user) => tokens.issue(user)),
  );
  const longAgo = Date.now() - (environment().TOKEN_LIFETIME_SECONDS + 3600) * 1000;
  const expiredToken = await tokens.issue(member as users.UserRecord, longAgo);
  // An owner from before the demo has another password.
  const accounts = all
    .filter(({ email }) => demo.accounts.some((account) => account.email === email))
    .map(({ email, role, userId }) => ({ email, password: demo.password, role, userId }));
  return { ownerToken, moderatorToken, memberToken, restrictedToken, expiredToken, accounts };
}
