import * as z from "zod/mini";
import { cursorOf, fittingPage } from "../pages.ts";
import { PageInfo } from "./answers.ts";
import { Post } from "./posts.ts";

/** A page of posts. Nobody counts them all, so it has no totals. */
export const PostPage = z.object({ results: z.array(Post), page_info: PageInfo });
export type PostPage = z.infer<typeof PostPage>;

/** `before`: how many posts precede the page; `lastId`: the last one that was read, deleted ones included. */
type Place = { before: number; first: number; lastId: string | undefined; hasNext: boolean };

/** What does not fit into an answer is on the next page. */
export function postPageView(posts: Post[], { before, first, lastId, hasNext }: Place): PostPage {
  const results = fittingPage(posts, 1);
  const isCut = results.length < posts.length;
  const last = isCut ? results.at(-1)?.postId : lastId;
  const [head] = results;
  return {
    results,
    page_info: {
      count: results.length,
      current_page: Math.floor(before / first) + 1,
      has_next_page: hasNext || isCut,
      end_cursor: last === undefined ? null : cursorOf([before + results.length, last]),
      start_cursor: head === undefined ? null : cursorOf([before + 1, head.postId]),
    },
  };
}
