import { useLocation } from "preact-iso/router";
import { type Post, token } from "../api.ts";
import { toggleVote } from "../posts.ts";
import { useSignInUrl } from "../site.ts";
import { numeral, t } from "../text.ts";
import { Badge, When } from "./basics.tsx";

export function VoteButton({ post }: { post: Post }) {
  const { route } = useLocation();
  const signInUrl = useSignInUrl();
  const { viewerVote, votesCount } = post.voters;
  const vote = () => (token.value ? toggleVote(post) : route(signInUrl));
  return (
    <button
      type="button"
      class="vote"
      aria-pressed={viewerVote !== null}
      aria-label={`${t(viewerVote ? "voted" : "vote", { title: post.title })}, ${t("votes", { n: votesCount })}`}
      onClick={vote}
    >
      <svg width="12" viewBox="0 0 12 8" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true">
        <path d="M1 7 6 1.5 11 7" />
      </svg>
      <span>{numeral(votesCount)}</span>
    </button>
  );
}

/** The beginning of a text in Markdown without its marks. */
function plain(markdown: string): string {
  return markdown
    .replace(/^ *[-*] /gm, "• ")
    .replace(/[*`~|]|-{3,}|^\s*(#+|>) /gm, "")
    .slice(0, 280);
}

export function PostRow({ post }: { post: Post }) {
  const { title, slug, contentMarkdown, status, board, createdAt, author, commentsCount } = post;
  return (
    <li class="row">
      <VoteButton post={post} />
      <div>
        <h2>
          <a href={`/posts/${slug}`}>{title}</a>
        </h2>
        {contentMarkdown && <p class="excerpt">{plain(contentMarkdown)}</p>}
        <p class="meta">
          {status.kind !== "open" && <Badge of={status} isStatus />}
          {board && <Badge of={board} />}
          <span>
            {author.name} · <When at={createdAt} />
          </span>
          {commentsCount > 0 && <span>{t("comments", { n: commentsCount })}</span>}
        </p>
      </div>
    </li>
  );
}
