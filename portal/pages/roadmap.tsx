import { useLocation } from "preact-iso/router";
import type { Schemas } from "../api.ts";
import { useRead } from "../data.ts";
import { Badge, Count, Empty, Heading, Pending } from "../parts/basics.tsx";
import { Icon } from "../parts/icons.tsx";
import { useAsLastList } from "../parts/last-list.ts";
import { FromTheFirst, Pages } from "../parts/pages.tsx";
import { VoteButton } from "../parts/post-row.tsx";
import { type PostList, postLists } from "../posts.ts";
import { useRoadmaps } from "../site.ts";
import { t } from "../text.ts";

/** The roadmaps side by side, each with its posts, the most wanted first. */
export function RoadmapPage() {
  const { data, ...read } = useRoadmaps();
  useAsLastList("roadmap");
  return (
    <>
      <Heading>{t("roadmap")}</Heading>
      {(!data || read.failure) && <Pending {...read} />}
      {data?.length === 0 && <Empty title={t("noRoadmaps")} hint={t("noRoadmapsHint")} />}
      <div class="columns">
        {data?.map((roadmap) => (
          <Column key={roadmap.id} roadmap={roadmap} />
        ))}
      </div>
    </>
  );
}

const PAGE = 20;

/** A column begins behind a cursor if the address names it: /roadmap?column=<url>&after=<cursor> */
function Column({ roadmap: { id, name, color, url, display } }: { roadmap: Schemas["RoadmapListItem"] }) {
  const { query } = useLocation();
  const begin = query.column === url ? query.after : undefined;
  const list = (after = begin) => postLists({ roadmapId: id, sort: "top", first: PAGE }, after);
  const { total } = useRead(list()).data ?? {};
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <Badge of={{ name, color }} />
        {total !== undefined && <Count n={total} words={t("postsCount", { n: total })} />}
      </h2>
      {!display && (
        <p class="hint">
          <Icon name="lock" /> {t("hiddenRoadmap")}
        </p>
      )}
      {begin && <FromTheFirst href="/roadmap" />}
      <Pages
        key={begin}
        query={list}
        address={(after) => `/roadmap?${new URLSearchParams({ column: url, after })}`}
        show={(page) => <Cards list={page} />}
      />
    </section>
  );
}

function Cards({ list: { posts } }: { list: PostList }) {
  if (posts.length === 0) return <p class="quiet-text">{t("noPosts")}</p>;
  return (
    <ul class="cards">
      {posts.map((post) => (
        <li key={post.postId}>
          <VoteButton post={post} />
          <a href={`/posts/${post.slug}`} dir="auto">
            {post.title}
          </a>
        </li>
      ))}
    </ul>
  );
}
