import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import lazy from "preact-iso/lazy";
import { useLocation, useRoute } from "preact-iso/router";
import type { Post } from "../api.ts";
import { put, useRead } from "../data.ts";
import { useDoor } from "../doors.ts";
import { loadFile } from "../load-file.ts";
import { Back } from "../parts/back.tsx";
import {
  Action,
  Avatar,
  Badge,
  By,
  Heading,
  NotFound,
  notTranslated,
  Pinned,
  Skeleton,
  Tags,
  Waiting,
  When,
} from "../parts/basics.tsx";
import { Comments } from "../parts/comments/comments.tsx";
import { CopyLink } from "../parts/copy-link.tsx";
import { focusSoon } from "../parts/focus.ts";
import { lastList } from "../parts/last-list.ts";
import { type Editing, loadEditing } from "../parts/load-editing.ts";
import { Markdown } from "../parts/markdown.tsx";
import { MergedLine } from "../parts/merged-line.tsx";
import { VoteButton } from "../parts/post-row.tsx";
import { useReport } from "../parts/use-report.tsx";
import { useTeamTools } from "../parts/use-team-tools.ts";
import { FOLLOW_ID, type Following, follow, following, listedPost, posts, type Summary } from "../posts.ts";
import { token } from "../session.ts";
import { mailConfirmation, useCan, useIsSuspended, useProfile, useRights, useSite } from "../site.ts";
import { nameOf, t, textOf } from "../text.ts";
import type { Wants } from "./account/wanted.tsx";

/** An earlier slug, the id of a post, and the address of one that was merged into it lead to its present address. */
function usePresentAddress(slug: string, post: Post | undefined): void {
  const { route } = useLocation();
  const now = post?.slug;
  useEffect(() => {
    if (!post || now === slug) return;
    put(posts(post.slug), post);
    const address = new URL(location.href);
    address.pathname = `/posts/${now}`;
    if (post.mergedFrom) address.searchParams.set("merged", post.mergedFrom.slug);
    route(address.pathname + address.search, true);
  }, [now]);
}

/** Loaded by who comes from a mail. */
const Wanted = lazy(async () => (await loadFile(() => import("./account/rare.tsx"))).Wanted);

/** What the link of a mail says that the reader wanted, if it is this: beside what does it. */
function WantedHere({ post, does }: { post: Post; does: Wants["does"] }) {
  const { wants } = useLocation().query;
  return wants === does && token.value ? <Wanted post={post} /> : null;
}

export function PostPage() {
  const { slug = "" } = useRoute().params;
  const { merged } = useLocation().query;
  const { data: post, ...read } = useRead(posts(slug));
  const shown = post ?? listedPost(slug);
  usePresentAddress(slug, post);
  if (read.failure?.status === 404) return <NotFound title="postNotFound" />;
  if (!shown || (!post && read.failure)) return <Waiting {...read} />;
  const { words, ...list } = lastList();
  return (
    <>
      <Back {...list}>{textOf(words, "")}</Back>
      {merged && <MergedLine named={merged} into={shown.postId} words="wasMerged" />}
      <article key={shown.postId} class="post">
        <div class="content">
          {post && <WantedHere post={post} does="vote" />}
          <Lead post={shown} />
          {post ? <Content post={post} /> : <Skeleton lines={2} />}
        </div>
        {post && <Further post={post} />}
      </article>
    </>
  );
}

/** What a list knows of a post, which is there before the rest. */
function Lead({ post }: { post: Post | Summary }) {
  const { title, status, board, roadmap } = post;
  return (
    <div class="lead">
      <VoteButton post={post} />
      <div>
        <Heading>{title}</Heading>
        <p class="meta">
          {post.isPinned && <Pinned />}
          <Badge of={status} standsOut />
          {board && <Badge of={board} href={`/boards/${board.url}`} />}
          {roadmap && (
            <a class="badge" href="/roadmap" dir="auto">
              {t("roadmapIs", { name: roadmap.name })}
            </a>
          )}
          <Tags of={post.tags} />
        </p>
      </div>
    </div>
  );
}

/** The button that opens the form, and gets the keyboard back from it. */
const EDIT = "edit-post";

/** What the author and the team have written. */
function Content({ post }: { post: Post }) {
  const [editing, setEditing] = useState<Editing>();
  const tools = useTeamTools();
  const close = () => {
    setEditing(undefined);
    focusSoon(() => document.getElementById(EDIT));
  };
  const { status, author, createdAt, contentMarkdown, response } = post;
  const report = useReport({ post, author });
  const answered = response?.status?.id === status.id ? null : response?.status;
  return (
    <>
      <By author={author} at={createdAt} />
      {editing && <editing.EditPost post={post} close={close} />}
      {!editing && contentMarkdown && <Markdown text={contentMarkdown} />}
      {!editing && (
        <TextActions post={post} edit={() => loadEditing().then(setEditing)} report={report.button}>
          {tools && <tools.ToAnswer />}
        </TextActions>
      )}
      {report.form}
      {response && (
        <aside class="response" aria-label={t("response")}>
          <h2>{t("response")}</h2>
          <p class="meta">
            {answered && <Badge of={answered} standsOut />} <When at={response.respondedAt} />
          </p>
          <Markdown text={response.text} above={2} />
        </aside>
      )}
    </>
  );
}

/** What people do with a post, and what they say of it. */
function Further({ post }: { post: Post }) {
  const tools = useTeamTools();
  return (
    <>
      <div class="beside">
        <div class="card">
          {post.voters.votesCount > 0 && <Voters post={post} />}
          <WantedHere post={post} does="follow" />
          <p class="actions">
            <Follow post={post} />
            <CopyLink path={`/posts/${post.slug}`} />
          </p>
        </div>
        {/* It comes later than the rest. On a wide page nothing is below it; elsewhere style.css keeps its place. */}
        {tools && <tools.Moderation post={post} />}
      </div>
      <div>
        <Comments post={post}>
          <WantedHere post={post} does="comment" />
        </Comments>
      </div>
    </>
  );
}

const FACES = 8;

/** The number of votes, with the first voters where the board shows them. */
function Voters({ post }: { post: Post }) {
  return (
    <section>
      <h2 {...notTranslated}>{t("votes", { n: post.voters.votesCount })}</h2>
      {post.view_voters && <Faces post={post} />}
    </section>
  );
}

/** The first voters; before them the reader, if they have voted. */
function Faces({ post: { voters, slug } }: { post: Post }) {
  const reader = useProfile().data;
  const firstOthers = voters.votes.filter(({ userId }) => userId !== reader?.userId);
  const first = [...(reader && voters.viewerVote ? [reader] : []), ...firstOthers].slice(0, FACES);
  const others = voters.votesCount - first.length;
  return (
    <ul class="voters" aria-label={t("voters")}>
      {first.map((vote) => (
        <li key={vote.userId} title={nameOf(vote)}>
          <Avatar author={vote} />
          <span class="unseen">{nameOf(vote)}</span>
        </li>
      ))}
      {others > 0 && (
        <li {...notTranslated}>
          <a href={`/posts/${slug}/voters`} rel="nofollow">
            {t("others", { n: others })}
          </a>
        </li>
      )}
    </ul>
  );
}

/** The sentence about the mails of a post. */
function newsBy({ isFollowing, isVerified, mails }: Partial<Following>) {
  if (!isFollowing) return "news";
  if (!isVerified) return "followsUnconfirmed";
  if (mails?.status && mails.comments) return "news_all";
  if (mails?.status) return "news_status";
  return mails?.comments ? "news_comments" : "news_none";
}

/** Follows the post or leaves it: its news come by mail. A vote also follows it. */
function Follow({ post: { postId, title } }: { post: Post }) {
  const askToSignIn = useDoor();
  const { data } = useRead(following(postId));
  const { sendsMail } = useSite();
  const isSuspended = useIsSuspended();
  const { data: profile } = useProfile();
  // Until that is known, it says "Follow" and does so, which changes nothing for one who does.
  const known: Partial<Following> = (token.value && data) || {};
  const { isFollowing, isVerified } = known;
  const toggle = () => (token.value ? follow(postId, !isFollowing) : askToSignIn({ does: "follow", title, postId }));
  return (
    <>
      <Action act={toggle} label={t(isFollowing ? "leave" : "follow")} kind="" id={FOLLOW_ID} isOff={isSuspended} />
      {/* Another sentence stands there for everybody: what is below moves for none. */}
      {sendsMail && (
        <span class="quiet-text">
          {t(newsBy(known))} {isFollowing && isVerified && <a href="/profile">{t("chooseMails")}</a>}
          {isFollowing && !isVerified && profile && (
            <Action act={() => mailConfirmation(profile.email)} label={t("anotherLink")} />
          )}
        </span>
      )}
    </>
  );
}

type TextActionsProps = {
  post: Post;
  edit: () => Promise<void>;
  report: ComponentChildren;
  children: ComponentChildren;
};

/**
 * What people do with the text of a post: who may change it, or else report it; `children`: what the team finds there,
 * null without its file.
 */
function TextActions({ post, edit, report, children }: TextActionsProps) {
  const { route } = useLocation();
  const can = useCan();
  const rights = useRights();
  const isOwn = useProfile().data?.userId === post.author.userId;
  const mayEdit = isOwn || can("post:update");
  const mayDelete = isOwn || can("post:destroy");
  const remove = async () => (await loadEditing()).removePost(post.postId, () => route("/"));
  // All of it comes at one time, or what is pressed would move aside. Its place is there before.
  const isOnItsWay = !rights || (children === undefined && can("post:moderate"));
  return (
    <p class="actions">
      {!isOnItsWay && (
        <>
          {children}
          {mayEdit && <Action act={edit} label={t("edit")} id={EDIT} />}
          {mayDelete && <Action act={remove} label={t("delete")} ask={t("deletePost", { title: post.title })} />}
          {report}
        </>
      )}
    </p>
  );
}
