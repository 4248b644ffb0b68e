import { useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { type Api, answer } from "../api.ts";
import { useRead } from "../data.ts";
import { Empty, Problem, Skeleton } from "../parts/basics.tsx";
import { PostRow } from "../parts/post-row.tsx";
import type { PostList } from "../posts.ts";
import { useBoards, useStatuses } from "../site.ts";
import { t } from "../text.ts";

const ORDERS = ["trending", "top", "newest"] as const;

type Order = (typeof ORDERS)[number];

/** A filter as the address bar has it: `?order=top&board=…&status=…`. */
function filterOf({ order, board, status, q }: Record<string, string>) {
  return {
    ...(q && { query: q }),
    sort: ORDERS.find((each) => each === order) ?? "trending",
    ...(board && { boardId: [board] }),
    ...(status && { status }),
  };
}

type Filter = ReturnType<typeof filterOf>;

async function page(api: Api, { query, sort, ...filter }: Filter, after?: string): Promise<PostList> {
  if (query) return answer(api.POST("/posts/search", { body: { ...filter, query, first: 50 } }));
  const body = { ...filter, sort, first: 20, ...(after && { after }) };
  const { posts, page_info: info } = await answer(api.POST("/posts/get", { body }));
  return { posts, ...(info?.has_next_page && info.end_cursor && { after: info.end_cursor }) };
}

const PAUSE_MS = 300;

export function ListPage() {
  const { query, route } = useLocation();
  const filter = filterOf(query);
  const { data, failure, again } = useRead(`posts ${JSON.stringify(filter)}`, (api) => page(api, filter));
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const go = (changes: Record<string, string>, replace = false) => {
    const search = new URLSearchParams(Object.entries({ ...query, ...changes }).filter(([, value]) => value));
    route(search.size > 0 ? `/?${search}` : "/", replace);
  };
  const search = (q: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => go({ q }, true), PAUSE_MS);
  };
  return (
    <>
      <h1>{t("posts")}</h1>
      <div class="bar">
        <input
          type="search"
          aria-label={t("searchPosts")}
          placeholder={t("searchPosts")}
          defaultValue={query.q}
          onInput={(e) => search(e.currentTarget.value)}
        />
        <fieldset class="tabs" aria-label={t("order")}>
          {ORDERS.map((order: Order) => (
            <button key={order} type="button" aria-pressed={filter.sort === order} onClick={() => go({ order })}>
              {t(order)}
            </button>
          ))}
        </fieldset>
        <Filters query={query} go={go} />
        <a class="button primary" href="/new">
          {t("newPost")}
        </a>
      </div>
      {failure && <Problem failure={failure} again={again} />}
      {!data && !failure && <Skeleton />}
      {data && <Posts key={JSON.stringify(filter)} list={data} filter={filter} />}
    </>
  );
}

function Filters({ query, go }: { query: Record<string, string>; go: (changes: Record<string, string>) => void }) {
  const [boards, statuses] = [useBoards(), useStatuses()];
  return (
    <>
      <select aria-label={t("board")} value={query.board ?? ""} onChange={(e) => go({ board: e.currentTarget.value })}>
        <option value="">{t("allBoards")}</option>
        {boards.map(({ boardId, name }) => (
          <option key={boardId} value={boardId}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={t("status")}
        value={query.status ?? ""}
        onChange={(e) => go({ status: e.currentTarget.value })}
      >
        <option value="">{t("allStatuses")}</option>
        {statuses.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}

function Posts({ list, filter }: { list: PostList; filter: Filter }) {
  const [pages, setPages] = useState(1);
  if (list.posts.length === 0) {
    const isFiltered = "query" in filter || "boardId" in filter || "status" in filter;
    return isFiltered ? (
      <Empty title={t("noMatches")} hint={t("noMatchesHint")} />
    ) : (
      <Empty title={t("noPosts")} hint={t("noPostsHint")} />
    );
  }
  return (
    <>
      <ol class="rows">
        {list.posts.map((post) => (
          <PostRow key={post.postId} post={post} />
        ))}
      </ol>
      {list.after && pages === 1 ? (
        <button type="button" class="more" onClick={() => setPages(2)}>
          {t("more")}
        </button>
      ) : (
        list.after && <NextPage filter={filter} after={list.after} />
      )}
    </>
  );
}

function NextPage({ filter, after }: { filter: Filter; after: string }) {
  const { data, failure, again } = useRead(`posts ${JSON.stringify(filter)} ${after}`, (api) =>
    page(api, filter, after),
  );
  if (failure) return <Problem failure={failure} again={again} />;
  return data ? <Posts list={data} filter={filter} /> : <Skeleton />;
}
