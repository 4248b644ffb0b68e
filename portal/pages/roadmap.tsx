import type { Schemas } from "../api.ts";
import { useRead } from "../data.ts";
import { Badge, Empty, Heading, Pending } from "../parts/basics.tsx";
import { VoteButton } from "../parts/post-row.tsx";
import { postLists } from "../posts.ts";
import { useRoadmaps } from "../site.ts";
import { t } from "../text.ts";

/** The roadmaps side by side, each with its posts, the most wanted first. */
export function RoadmapPage() {
  const { data, ...read } = useRoadmaps();
  return (
    <>
      <Heading>{t("roadmap")}</Heading>
      {(!data || read.failure) && <Pending {...read} />}
      {data?.length === 0 && <Empty title="noRoadmaps" hint="noRoadmapsHint" />}
      <div class="columns">
        {data?.map((roadmap) => (
          <Column key={roadmap.id} roadmap={roadmap} />
        ))}
      </div>
    </>
  );
}

function Column({ roadmap: { id, name, color } }: { roadmap: Schemas["RoadmapListItem"] }) {
  const { data, ...read } = useRead(postLists({ roadmapId: id, sort: "top", first: 50 }));
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <Badge of={{ name, color }} />
      </h2>
      {(!data || read.failure) && <Pending {...read} lines={3} />}
      {data?.posts.length === 0 && <p class="quiet-text">{t("noPosts")}</p>}
      <ul class="cards">
        {data?.posts.map((post) => (
          <li key={post.postId}>
            <VoteButton post={post} />
            <a href={`/posts/${post.slug}`}>{post.title}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
