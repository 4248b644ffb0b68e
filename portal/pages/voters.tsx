import { useLocation, useRoute } from "preact-iso/router";
import type { Schemas } from "../api.ts";
import { useRead } from "../data.ts";
import { Back } from "../parts/back.tsx";
import { Avatar, Heading, NotFound, Waiting, When } from "../parts/basics.tsx";
import { FromTheFirst, Pages } from "../parts/pages.tsx";
import { posts } from "../posts.ts";
import { useCan } from "../site.ts";
import { nameOf, t } from "../text.ts";
import { votes } from "../votes.ts";

const PAGE = 50;

/** Who has voted for a post, for those who may see it. */
export function VotersPage() {
  const { slug = "" } = useRoute().params;
  const { query } = useLocation();
  const isOfTeam = useCan()("post:moderate");
  const { data: post, ...read } = useRead(posts(slug));
  if (read.failure?.status === 404) return <NotFound title="postNotFound" />;
  if (!post) return <Waiting {...read} />;
  const address = `/posts/${post.slug}`;
  const count = t("votes", { n: post.voters.votesCount });
  return (
    <section class="narrow">
      <Back url={address}>
        <bdi>{post.title}</bdi>
      </Back>
      <Heading name={`${count} · ${post.title}`}>{count}</Heading>
      {query.after && <FromTheFirst href={`${address}/voters`} />}
      {(post.view_voters || isOfTeam) && (
        <Pages
          key={query.after}
          query={(after = query.after) => votes(post.postId, PAGE, after)}
          address={(after) => `${address}/voters?after=${encodeURIComponent(after)}`}
          show={(page) => <Rows votes={page.votes} />}
        />
      )}
    </section>
  );
}

function Rows({ votes }: { votes: Schemas["CastVote"][] }) {
  return (
    <ul class="rows">
      {votes.map(({ voteId, user, createdAt }) => (
        <li key={voteId} class="item">
          <Avatar author={user} />
          <span class="wide">
            <bdi>{nameOf(user)}</bdi>{" "}
            <span class="quiet-text">
              <When at={createdAt} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
