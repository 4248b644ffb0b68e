import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { Empty, Heading } from "../parts/basics.tsx";
import { Select, useLater } from "../parts/form.tsx";
import { Pages } from "../parts/pages.tsx";
import { PostRow } from "../parts/post-row.tsx";
import { type PostList, postLists, type Wanted } from "../posts.ts";
import { useBoards, useSetUp, useStatuses } from "../site.ts";
import { t } from "../text.ts";

const ORDERS = ["trending", "top", "newest"] as const;

/** A filter as the address bar has it: `?order=top&board=…&status=…`. */
function filterOf({ order, board, status, q }: Record<string, string>): Wanted {
  return {
    ...(q && { query: q }),
    sort: ORDERS.find((each) => each === order) ?? "trending",
    ...(board && { boardId: [board] }),
    ...(status && { status }),
    first: q ? 50 : 20,
  };
}

export function ListPage() {
  const { query, route } = useLocation();
  const filter = filterOf(query);
  const boards = useBoards().data ?? [];
  const statuses = useStatuses().data?.statuses ?? [];
  const [typed, setTyped] = useState<string>();
  const words = useRef<HTMLInputElement>(null);
  const go = (changes: Record<string, string>, replace = false) => {
    // Typed a moment ago, maybe.
    const q = words.current?.value ?? "";
    const search = new URLSearchParams(Object.entries({ ...query, q, ...changes }).filter(([, value]) => value));
    route(search.size > 0 ? `/?${search}` : "/", replace);
  };
  useLater(() => typed !== undefined && go({}, true), [typed]);
  // The way back through the history changes the words, too; typing is ahead of the address bar.
  useEffect(() => {
    if (words.current && words.current !== document.activeElement) words.current.value = query.q ?? "";
  }, [query.q]);
  const show = ({ posts }: PostList) =>
    posts.length > 0 ? (
      <ol class="rows">
        {posts.map((post) => (
          <PostRow key={post.postId} post={post} />
        ))}
      </ol>
    ) : "query" in filter || "boardId" in filter || "status" in filter ? (
      <Empty title="noMatches" hint="noMatchesHint" />
    ) : (
      <NoPosts />
    );
  return (
    <>
      <div class="bar">
        <Heading>{t("posts")}</Heading>
        <a class="button primary" href={newPostUrl(query)}>
          {t("newPost")}
        </a>
      </div>
      <div class="bar">
        <input
          ref={words}
          type="search"
          aria-label={t("searchPosts")}
          placeholder={t("searchPosts")}
          defaultValue={query.q}
          onInput={(e) => setTyped(e.currentTarget.value)}
        />
        <fieldset class="tabs" aria-label={t("order")} title={query.q && t("bestFirst")} disabled={Boolean(query.q)}>
          {ORDERS.map((order) => (
            <button key={order} type="button" aria-pressed={filter.sort === order} onClick={() => go({ order })}>
              {t(order)}
            </button>
          ))}
        </fieldset>
        {(["board", "status"] as const).map((name) => (
          <Select
            key={name}
            label={t(name)}
            value={query[name]}
            options={name === "board" ? boards : statuses}
            none={t(name === "board" ? "allBoards" : "allStatuses")}
            onChange={(e) => go({ [name]: e.currentTarget.value })}
          />
        ))}
      </div>
      <Pages key={JSON.stringify(filter)} query={(after) => postLists(filter, after)} show={show} />
    </>
  );
}

/** A new post begins with what the reader was looking for. */
function newPostUrl({ q, board }: Record<string, string>): string {
  const known = new URLSearchParams({ ...(q && { title: q }), ...(board && { board }) });
  return known.size > 0 ? `/new?${known}` : "/new";
}

/** A site without posts may be one without an owner. */
function NoPosts() {
  const { route } = useLocation();
  const { data: isSetUp } = useSetUp();
  useEffect(() => {
    if (isSetUp === false) route("/setup", true);
  }, [isSetUp]);
  return <Empty title="noPosts" hint="noPostsHint" />;
}
