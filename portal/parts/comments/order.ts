import { useLocation } from "preact-iso/router";
import type { Post } from "../../api.ts";
import { withQuery } from "../../with-query.ts";

/** Whether the address asks for the oldest comments first, and the address of a page of them, or of one of them. */
export function useOrder({ slug }: Pick<Post, "slug">) {
  const isOldestFirst = useLocation().query.order === "oldest";
  const addressOf = (more: Record<string, string> = {}, oldest = isOldestFirst) =>
    withQuery(`/posts/${slug}`, { order: oldest ? "oldest" : undefined, ...more });
  return { isOldestFirst, addressOf };
}
