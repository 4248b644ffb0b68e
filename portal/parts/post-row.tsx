import type { ComponentChildren } from "preact";
import type { Post } from "../api.ts";
import { useDoor } from "../doors.ts";
import { loadMarkdownEarly } from "../load-markdown.ts";
import { announce } from "../notices.ts";
import { type Summary, toggleVote, voteId } from "../posts.ts";
import { token } from "../session.ts";
import { useIsSuspended } from "../site.ts";
import { nameOf, shortNumeral, t } from "../text.ts";
import { Badge, Count, notTranslated, Pinned, Tags, When } from "./basics.tsx";
import { Icon } from "./icons.tsx";

/** The form that leads to what a person needs who has no script. */
export const NO_SCRIPT = "no-script";

type VoteProps = { post: Pick<Post, "postId" | "title"> & { voters: Summary["voters"] } };

/** Says how many votes there are, and whether the reader's is among them. */
export function VoteButton({ post }: VoteProps) {
  const askToSignIn = useDoor();
  const isSuspended = useIsSuspended();
  const { postId, title } = post;
  const { viewerVote, votesCount } = post.voters;
  const count = shortNumeral(votesCount);
  const vote = ({ detail: clicks }: MouseEvent) => {
    // A double click is one vote, also if the first click was answered in between.
    if (clicks > 1) return;
    if (isSuspended) return announce(t("suspendedHint"), "problem");
    if (token.value) void toggleVote(post);
    else askToSignIn({ does: "vote", title, postId });
  };
  return (
    <button
      type="submit"
      // Without the script it sends this form, which the server adds: see server.tsx.
      form={NO_SCRIPT}
      id={voteId(postId)}
      class="vote"
      aria-pressed={viewerVote !== null}
      aria-disabled={isSuspended}
      title={isSuspended ? t("suspendedHint") : undefined}
      aria-label={`${t("vote", { title })}, ${t("votes", { n: votesCount })}`}
      onClick={vote}
    >
      <Icon name="up" />
      <span class={count.length > 4 ? "long" : undefined} {...notTranslated}>
        {count}
      </span>
    </button>
  );
}

export const titleId = (postId: string) => `title-${postId}`;

/**
 * The link to a post in a list. By its id it has the keyboard again when the reader comes back. When a pointer or the
 * keyboard reaches it, the file loads that the post's text needs.
 */
const linkTo = ({ postId, slug }: Pick<Post, "postId" | "slug">) => ({
  id: titleId(postId),
  href: `/posts/${slug}`,
  onPointerEnter: loadMarkdownEarly,
  onFocus: loadMarkdownEarly,
});

type CardProps = {
  post: VoteProps["post"] & Pick<Post, "slug">;
  tools?: ComponentChildren;
  children?: ComponentChildren;
};

/** A post where there is little room: its votes, its title, and what stands below that. `tools`: of the team. */
export function PostCard({ post, tools, children }: CardProps) {
  return (
    <li>
      <VoteButton post={post} />
      <div>
        <a {...linkTo(post)} dir="auto">
          {post.title}
        </a>
        {children && <p class="meta">{children}</p>}
      </div>
      {tools}
    </li>
  );
}

/** Posts in a list, with a row each. */
export function PostRows({ posts, ...more }: { posts: Summary[]; isOnBoard?: boolean; isOwn?: boolean }) {
  return (
    <ol class="rows">
      {posts.map((post) => (
        <PostRow key={post.postId} post={post} {...more} />
      ))}
    </ol>
  );
}

type RowProps = { post: Summary; isOnBoard?: boolean; isOwn?: boolean; children?: ComponentChildren };

/**
 * A post in a list; `isOnBoard`: of one board, which the page names; `isOwn`: of the reader, who looks for its
 * status. `children`: what the team does with it there.
 */
export function PostRow({ post, isOnBoard, isOwn, children }: RowProps) {
  const { title, excerpt, status, board, tags, createdAt, author, commentsCount, isPinned, isAnswered } = post;
  return (
    <li class="row">
      <VoteButton post={post} />
      <div>
        <h2 dir="auto">
          <a {...linkTo(post)}>{title}</a>
        </h2>
        {excerpt && (
          <p class="excerpt" dir="auto">
            {excerpt}
          </p>
        )}
        <p class="meta">
          <span class="meta">
            {isPinned && <Pinned />}
            {(isOwn || status.kind !== "open") && <Badge of={status} standsOut />}
            {board && !isOnBoard && <Badge of={board} href={`/boards/${board.url}`} />}
            <Tags of={tags} />
            {isAnswered && <span class="badge team">{t("answered")}</span>}
            <span class="byline facts">
              <bdi>{nameOf(author)}</bdi> <When at={createdAt} />
            </span>
          </span>
          {commentsCount > 0 && (
            <Count n={commentsCount} words={t("comments", { n: commentsCount })}>
              <Icon name="comment" />
            </Count>
          )}
        </p>
      </div>
      {children}
    </li>
  );
}
