import { answer } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { t } from "../../text.ts";

type Filter = { status: string[] } | { roadmapId: string } | { tag: string[] };

/** How many posts have a status, a roadmap or a tag. Their lists do not know: each number is a read of its own. */
export const postsCount = define("posts count", async (client, filter: Filter) => {
  const page = await answer(client.POST("/posts/get", { body: { first: 1, ...filter } }));
  return page.total_count ?? 0;
});

/** That number in words. It has its place before it is known. */
export function PostsCount({ of }: { of: Filter }) {
  const { data: n } = useRead(postsCount(of));
  return <span class={n === undefined ? "to-come" : undefined}>{t("postsCount", { n: n ?? 0 })}</span>;
}
