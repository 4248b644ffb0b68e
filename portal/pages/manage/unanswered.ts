import { useLocation } from "preact-iso/router";
import { waits } from "../../../lib/values/waits.ts";
import { answer } from "../../api.ts";
import { change, useRead } from "../../data.ts";
import { loadMarkdown } from "../../load-markdown.ts";
import { nextOf } from "../../paging.ts";
import { defineList, type PostList, summaryOf } from "../../posts.ts";

export const ORDERS = ["newest", "oldest", "top"] as const;
export type Order = (typeof ORDERS)[number];

/** The status of new posts. */
export const OPEN = "open";

/** How many open posts a page looks at. */
const FIRST = 20;

/** Open posts of visitors to which the team has not responded. */
export const unanswered = defineList(
  "waiting",
  async (client, sort: Order, boardId: string, after?: string): Promise<PostList> => {
    const board = boardId && { boardId: [boardId] };
    const body = { first: FIRST, status: [OPEN], sort, ...board, ...(after && { after }) };
    const [{ posts, page_info }] = await Promise.all([answer(client.POST("/posts/get", { body })), loadMarkdown()]);
    return { posts: posts.filter(waits).map(summaryOf), ...nextOf(page_info) };
  },
);

/** The newest ones, for their number beside other pages: these need no script that shows texts. */
const newest = defineList("newest waiting", async (client): Promise<PostList> => {
  const params = { query: { first: FIRST } };
  const { results, page_info } = await answer(client.GET("/posts/waiting", { params }));
  return { posts: results.map(summaryOf), ...nextOf(page_info) };
});

/** How many posts of a list wait, as far as its first page shows. One that was answered elsewhere waits no longer. */
export function amountOf(list: PostList | undefined) {
  const still = list?.posts.filter(({ status, isAnswered }) => status.id === OPEN && !isAnswered);
  return { n: still?.length ?? 0, hasMore: list?.after !== undefined };
}

/** The order and the board that the address names. */
export function useChosen() {
  const { board = "", order } = useLocation().query;
  const isChosen = board !== "" || order !== undefined;
  return { board, order: ORDERS.find((each) => each === order) ?? "newest", isChosen };
}

/** How many posts wait; `isHere`: beside their own page, which has read them, unless it shows one board. */
export function useUnanswered(isHere: boolean) {
  const { board, order } = useChosen();
  return amountOf(useRead(isHere && !board ? unanswered(order, board, undefined) : newest()).data);
}

/** Takes a post out of the ones that wait. */
export function takeOut(postId: string): void {
  const without = (list: PostList) => ({ ...list, posts: list.posts.filter((each) => each.postId !== postId) });
  change(unanswered, without);
  change(newest, without);
}
