import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Schemas } from "../api.ts";
import { useRead } from "../data.ts";
import { Badge, Count, Dot, Empty, Heading, Pending } from "../parts/basics.tsx";
import { Icon } from "../parts/icons.tsx";
import { useAsLastList } from "../parts/last-list.ts";
import { FromTheFirst, Pages } from "../parts/pages.tsx";
import { PostCard } from "../parts/post-row.tsx";
import { useColumnInSight } from "../parts/use-column-in-sight.ts";
import { useTeamTools } from "../parts/use-team-tools.ts";
import { type PostList, postLists } from "../posts.ts";
import { useRoadmaps } from "../site.ts";
import { t } from "../text.ts";
import { withQuery } from "../with-query.ts";

type Roadmap = Schemas["RoadmapListItem"];

/** The roadmaps side by side, each with its posts, the most wanted first. */
export function RoadmapPage() {
  const { data, ...read } = useRoadmaps();
  useAsLastList("roadmap");
  return (
    <>
      <Heading>{t("roadmap")}</Heading>
      {(!data || read.failure) && (
        <div class="columns-later">
          <Pending {...read} />
        </div>
      )}
      {data?.length === 0 && (
        <Empty title={t("noRoadmaps")} hint={t("noRoadmapsHint")}>
          <a class="button" href="/">
            {t("toPosts")}
          </a>
        </Empty>
      )}
      {data && data.length > 1 && <Jumps roadmaps={data} />}
      <div class="columns">
        {data?.map((roadmap) => (
          <Column key={roadmap.id} roadmap={roadmap} />
        ))}
      </div>
    </>
  );
}

const PAGE = 20;

/** The first posts of a roadmap, or those after a cursor. */
function postsOn(roadmapId: string, after?: string) {
  return postLists({ roadmapId, sort: "top", first: PAGE }, after);
}

/** The way to each column, where they stand below each other or some are out of sight. */
function Jumps({ roadmaps }: { roadmaps: Roadmap[] }) {
  const { inSight, jumpTo } = useColumnInSight();
  const jumps = useRef<HTMLElement>(null);
  // The way to the column that is read stays among those that can be pressed.
  useEffect(() => {
    const jump = jumps.current?.querySelector<HTMLElement>("[aria-current]");
    if (jump) jumps.current?.scrollTo({ left: jump.offsetLeft - GAP_PX });
  }, [inSight]);
  return (
    <nav ref={jumps} class="jumps" aria-label={t("roadmaps")}>
      {roadmaps.map((roadmap) => (
        <Jump key={roadmap.id} roadmap={roadmap} isHere={roadmap.id === inSight} jump={() => jumpTo(roadmap.id)} />
      ))}
    </nav>
  );
}

/** What is in sight of the jump before the present one. */
const GAP_PX = 40;

type JumpProps = { roadmap: Roadmap; isHere: boolean; jump: () => void };

function Jump({ roadmap: { id, name, color }, isHere, jump }: JumpProps) {
  const { total } = useRead(postsOn(id)).data ?? {};
  return (
    <a href={`#${id}`} aria-current={isHere ? "true" : undefined} onClick={jump}>
      <Dot color={color} />
      <bdi>{name}</bdi>
      {total !== undefined && <Count n={total} words={t("postsCount", { n: total })} />}
    </a>
  );
}

/** A column begins behind a cursor if the address names it: /roadmap?column=<url>&after=<cursor> */
function Column({ roadmap: { id, name, color, url, display } }: { roadmap: Roadmap }) {
  const { query } = useLocation();
  const begin = query.column === url ? query.after : undefined;
  const list = (after = begin) => postsOn(id, after);
  const { total } = useRead(list()).data ?? {};
  return (
    <section aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
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
        address={(after) => withQuery("/roadmap", { column: url, after })}
        show={(page, isFirst) => <Cards list={page} isFirst={isFirst} column={name} />}
      />
    </section>
  );
}

/** `column`: its name, which may say the status of its posts. */
type CardsProps = { list: PostList; isFirst: boolean; column: string };

function Cards({ list: { posts, after }, isFirst, column }: CardsProps) {
  const tools = useTeamTools();
  // A page of which the team has moved all cards away is none without posts: more follow.
  if (posts.length === 0) return isFirst && !after ? <p class="quiet-text">{t("noPosts")}</p> : null;
  return (
    <ul class="cards">
      {posts.map((post) => (
        <PostCard key={post.postId} post={post} tools={tools && <tools.MoveCard post={post} />}>
          {post.status.kind !== "open" && post.status.name !== column && <Badge of={post.status} standsOut />}
          {post.board && <Badge of={post.board} href={`/boards/${post.board.url}`} />}
        </PostCard>
      ))}
    </ul>
  );
}
