import * as z from "zod/mini";
import type { UserRecord } from "../accounts/users.ts";
import { visibleCatalogue } from "../auth/visibility.ts";
import * as catalogue from "../catalogue/catalogue.ts";
import type { FoundPosts } from "../posts/posts.ts";
import * as votes from "../votes/votes.ts";
import { optional } from "./inputs.ts";
import { pageSize, QueryNumber } from "./list-inputs.ts";
import { After, CountedPlace } from "./pages.ts";
import { type PostPage, postPageView } from "./resources/post-pages.ts";
import { postListView } from "./resources/posts.ts";

export const PostPageQuery = z.object({ first: pageSize(QueryNumber, 20, 50), after: optional(After(CountedPlace)) });
type PostPageQuery = z.output<typeof PostPageQuery>;

/** The read units of a page: a post of a list costs 0.5 R, or up to 6 with a long text. */
export function readsOfPostPage({ first }: PostPageQuery): number {
  return 4 * first;
}

/** A page of posts as the caller sees them. `find` reads a number of posts, `before` one of them. */
export async function postPage(
  caller: UserRecord,
  { first, after }: PostPageQuery,
  find: (count: number, before?: string) => Promise<FoundPosts>,
): Promise<PostPage> {
  const [before, lastId] = after ?? [0, undefined];
  const [page, entries] = await Promise.all([find(first, lastId), catalogue.read()]);
  const ownVotes = await votes.ownVotesOn(page.found, caller.userId, { contiguous: false });
  const posts = postListView(page.found, visibleCatalogue(caller, entries), caller.userId, ownVotes);
  return postPageView(posts, { ...page, before, first });
}
