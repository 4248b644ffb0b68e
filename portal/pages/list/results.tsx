import { useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { useRead } from "../../data.ts";
import { FromTheFirst, Pages } from "../../parts/pages.tsx";
import { type PostList, postLists, type Wanted } from "../../posts.ts";
import type { Board } from "../../site.ts";
import { t } from "../../text.ts";
import { addressOf, wantedOf } from "./address.ts";
import { Otherwise } from "./otherwise.tsx";
import { Rows } from "./rows.tsx";

/** The posts that the address asks for. Until they are read, the posts before stay, dimmed. */
export function Results({ board }: { board: Board | undefined }) {
  const { query } = useLocation();
  const wanted = wantedOf(query, board?.boardId);
  const { data, failure } = useRead(postLists(wanted, query.after));
  const isThere = data !== undefined || failure !== undefined;
  const address = addressOf(board, query);
  const isPart = Boolean(query.status || query.tag || board);
  const isFiltered = isPart || Boolean(query.q);
  const last = useRef({ wanted, address, after: query.after, data });
  if (isThere) last.current = { wanted, address, after: query.after, data };
  const shown = last.current;
  return (
    <div>
      <div class="found">
        <p class={isFiltered && data?.posts.length ? "quiet-text" : "unseen"} role="status">
          {data && countOf(data, wanted)}
        </p>
        {wanted.query && isPart && (
          <a class="button" href={addressOf(undefined, { q: wanted.query })}>
            {t("searchAllBoards")}
          </a>
        )}
      </div>
      <div class={isThere ? undefined : "waiting"} aria-busy={!isThere}>
        <Pages
          key={shown.address}
          query={(after = shown.after) => postLists(shown.wanted, after)}
          address={(after) => addressOf(board, { ...query, after })}
          show={(list, isFirst) =>
            (list.posts.length > 0 || isFirst) && (
              <Rows list={list} isFiltered={isFiltered} isOnBoard={board !== undefined} />
            )
          }
        />
      </div>
      {query.after && <FromTheFirst href={addressOf(board, { ...query, after: "" })} />}
      {wanted.query && data && !query.after && <Otherwise words={wanted.query} found={data.posts} />}
    </div>
  );
}

function countOf({ posts, total = posts.length, hasMore }: PostList, { query }: Wanted): string {
  if (hasMore) return t("postsAtLeast", { n: total });
  return query && total > posts.length ? t("bestOf", { n: posts.length, total }) : t("postsCount", { n: total });
}
