import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { Empty } from "../../parts/basics.tsx";
import { PostRows } from "../../parts/post-row.tsx";
import type { PostList } from "../../posts.ts";
import { useSetUp } from "../../site.ts";
import { t } from "../../text.ts";
import { wordsOf } from "./address.ts";

/** `isOnBoard`: all are of the board that the page shows. */
type RowsProps = { list: PostList; isFiltered: boolean; isOnBoard?: boolean };

/** Posts, or a word of why there are none. */
export function Rows({ list, isFiltered, isOnBoard = false }: RowsProps) {
  if (list.posts.length === 0) return isFiltered ? <NoMatches /> : <NoPosts />;
  return <PostRows posts={list.posts} isOnBoard={isOnBoard} />;
}

/** Below a search there is more to do: see `Otherwise`. */
function NoMatches() {
  const isSearch = wordsOf(useLocation().query.q) !== "";
  return (
    <Empty title={t("noMatches")} hint={t(isSearch ? "noTitlesHint" : "noMatchesHint")}>
      {!isSearch && <ClearFilters />}
    </Empty>
  );
}

export function ClearFilters() {
  return (
    <a class="button" href="/">
      {t("clearFilters")}
    </a>
  );
}

/** A site without posts may be one without an owner. */
function NoPosts() {
  const { route } = useLocation();
  const { data: isSetUp } = useSetUp();
  useEffect(() => {
    if (isSetUp === false) route("/setup", true);
  }, [isSetUp]);
  return (
    <Empty title={t("noPosts")} hint={t("noPostsHint")}>
      <a class="button primary" href="/new">
        {t("firstPost")}
      </a>
    </Empty>
  );
}
