import { useLocation } from "preact-iso/router";
import { waits } from "../../../lib/values/waits.ts";
import { type Api, answer } from "../../api.ts";
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

/** How many a count reads with one call, and how many calls it makes at most: hardly a site leaves more posts open. */
const COUNTED = 50;
const CALLS = 3;

/** The most that is said where there may be more: one answer changes nothing of that. */
const MOST_SAID = 99;

type Wanted = { first: number; sort: Order };

/** The posts that wait, among some open ones. */
async function waitingAmong(client: Api, wanted: Wanted, boardId: string, after: string | undefined) {
  const board = boardId && { boardId: [boardId] };
  const body = { ...wanted, status: [OPEN], ...board, ...(after && { after }) };
  const { posts, page_info } = await answer(client.POST("/posts/get", { body }));
  return { found: posts.filter(waits), ...nextOf(page_info) };
}

/** Open posts of visitors to which the team has not responded. */
export const unanswered = defineList(
  "waiting",
  async (client, sort: Order, boardId: string, after?: string): Promise<PostList> => {
    const reading = waitingAmong(client, { first: FIRST, sort }, boardId, after);
    const [{ found, ...next }] = await Promise.all([reading, loadMarkdown()]);
    return { posts: found.map(summaryOf), ...next };
  },
);

/** As many of them as there are, for their number: that needs no script that shows texts. */
const counted = defineList("waiting in all", async (client, boardId: string): Promise<PostList> => {
  const all: PostList = { posts: [] };
  for (let n = 0; n < CALLS; n++) {
    const { found, after } = await waitingAmong(client, { first: COUNTED, sort: "newest" }, boardId, all.after);
    all.posts.push(...found.map(summaryOf));
    if (!after) return { posts: all.posts };
    all.after = after;
  }
  return all;
});

/** `hasMore`: there may be more. */
export type Amount = { n: number; hasMore: boolean };

/** How many posts of a list wait. One that was answered elsewhere waits no longer. */
export function amountOf({ posts, after }: PostList): Amount {
  const still = posts.filter(({ status, isAnswered }) => status.id === OPEN && !isAnswered);
  const hasMore = after !== undefined;
  return { n: hasMore ? Math.min(still.length, MOST_SAID) : still.length, hasMore };
}

/** How many posts wait, on one board or in all; undefined until that is read. */
export function useUnanswered(boardId = ""): Amount | undefined {
  const { data } = useRead(counted(boardId));
  return data && amountOf(data);
}

/** The order and the board that the address names. */
export function useChosen() {
  const { board = "", order } = useLocation().query;
  const isChosen = board !== "" || order !== undefined;
  return { board, order: ORDERS.find((each) => each === order) ?? "newest", isChosen };
}

/** Takes a post out of the ones that wait. */
export function takeOut(postId: string): void {
  const without = (list: PostList) => ({ ...list, posts: list.posts.filter((each) => each.postId !== postId) });
  change(unanswered, without);
  change(counted, without);
}
