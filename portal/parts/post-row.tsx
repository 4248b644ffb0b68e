import type { Post } from "../api.ts";
import { useDoor } from "../doors.ts";
import { type Summary, toggleVote } from "../posts.ts";
import { token } from "../session.ts";
import { numeral, t } from "../text.ts";
import { Badge, notTranslated, When } from "./basics.tsx";

type VoteProps = { post: Pick<Post, "postId" | "title"> & { voters: Summary["voters"] } };

/** Says how many votes there are, and whether the reader's is among them. */
export function VoteButton({ post }: VoteProps) {
  const askToSignIn = useDoor();
  const { postId, title } = post;
  const { viewerVote, votesCount } = post.voters;
  const vote = () => (token.value ? toggleVote(post) : askToSignIn({ does: "vote", title, postId }));
  return (
    <button
      type="button"
      class="vote"
      aria-pressed={viewerVote !== null}
      aria-label={`${t("vote", { title })}, ${t("votes", { n: votesCount })}`}
      onClick={vote}
    >
      <svg width="12" viewBox="0 0 12 8" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">
        <path d="M1 7 6 1.5 11 7" />
      </svg>
      <span {...notTranslated}>{numeral(votesCount)}</span>
    </button>
  );
}

export function PostRow({ post }: { post: Summary }) {
  const { title, slug, excerpt, status, board, createdAt, author, commentsCount } = post;
  return (
    <li class="row">
      <VoteButton post={post} />
      <div>
        <h2 dir="auto">
          <a href={`/posts/${slug}`}>{title}</a>
        </h2>
        {excerpt && (
          <p class="excerpt" dir="auto">
            {excerpt}
          </p>
        )}
        <p class="meta">
          {status.kind !== "open" && <Badge of={status} isStatus />}
          {board && <Badge of={board} href={`/boards/${board.url}`} />}
          <span>
            <bdi>{author.name}</bdi> · <When at={createdAt} />
          </span>
          {commentsCount > 0 && <span {...notTranslated}>{t("comments", { n: commentsCount })}</span>}
        </p>
      </div>
    </li>
  );
}
