import { useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso/router";
import { type Api, answer, apiAt, type Post, token } from "../api.ts";
import { useRead } from "../data.ts";
import { Action, Avatar, Badge, Heading, NotFound, Problem, Skeleton, When } from "../parts/basics.tsx";
import { Comments } from "../parts/comments.tsx";
import { Field, Form } from "../parts/form.tsx";
import { loadMarkdown, Markdown } from "../parts/markdown.tsx";
import { Moderation } from "../parts/moderation.tsx";
import { announce, attempt } from "../parts/notice.tsx";
import { VoteButton } from "../parts/post-row.tsx";
import { changePost } from "../posts.ts";
import { can, useProfile } from "../site.ts";
import { t } from "../text.ts";

const api = apiAt("");

export function PostPage() {
  const { slug = "" } = useRoute().params;
  const load = async (client: Api) => {
    const [{ post }] = await Promise.all([answer(client.POST("/posts/slug", { body: { slug } })), loadMarkdown()]);
    return post as Post;
  };
  const { data: post, failure, again } = useRead(`post ${slug}`, load);
  if (failure?.status === 404) return <NotFound />;
  if (!post) return failure ? <Problem failure={failure} again={again} /> : <Skeleton />;
  return (
    <article class="post" key={post.postId}>
      <VoteButton post={post} />
      <div>
        <Body post={post} />
        {can("post:moderate") && <Moderation post={post} />}
        <Comments post={post} />
      </div>
    </article>
  );
}

function Body({ post }: { post: Post }) {
  const [edits, setEdits] = useState(false);
  const { title, status, board, roadmap, author, createdAt, contentMarkdown, response } = post;
  return (
    <>
      <Heading>{title}</Heading>
      <p class="meta">
        <Badge of={status} isStatus />
        {board && <Badge of={board} href={`/?board=${board.boardId}`} />}
        {roadmap && <Badge of={roadmap} href="/roadmap" />}
      </p>
      <p class="by">
        <Avatar author={author} /> {author.name}{" "}
        <span class="quiet-text">
          · <When at={createdAt} />
        </span>
      </p>
      {edits ? (
        <Edit post={post} close={() => setEdits(false)} />
      ) : (
        contentMarkdown && <Markdown text={contentMarkdown} />
      )}
      {post.voters.votesCount > 0 && <Voters post={post} />}
      {!edits && <Actions post={post} edit={() => setEdits(true)} />}
      {response && (
        <aside class="response" aria-label={t("response")}>
          <h2>{t("response")}</h2>
          <p class="meta">
            {response.status && <Badge of={response.status} isStatus />} <When at={response.respondedAt} />
          </p>
          <Markdown text={response.text} />
        </aside>
      )}
    </>
  );
}

const FACES = 8;

/** The first voters, with the number of the others. */
function Voters({ post: { voters } }: { post: Post }) {
  const first = voters.votes.slice(0, FACES);
  const others = voters.votesCount - first.length;
  return (
    <ul class="voters" aria-label={t("voters")}>
      {first.map((vote) => (
        <li key={vote.userId} title={vote.name}>
          <Avatar author={vote} />
          <span class="unseen">{vote.name}</span>
        </li>
      ))}
      {others > 0 && <li>{t("others", { n: others })}</li>}
    </ul>
  );
}

/** Follows the post or leaves it: its news come by mail. A vote follows, too. */
function Follow({ post: { postId, voters } }: { post: Post }) {
  const params = { path: { postId } };
  const { data: isFollowing, again } = useRead(`following ${postId} ${voters.viewerVote?.voteId}`, async (client) =>
    token.value
      ? (await answer(client.GET("/posts/{postId}/subscription", { params }))).subscription.isFollowing
      : null,
  );
  const toggle = async () => {
    const body = { isFollowing: !isFollowing };
    await answer(api.PUT("/posts/{postId}/subscription", { params, body })).finally(again);
    announce(t(isFollowing ? "left" : "followed"));
  };
  if (!token.value || isFollowing === undefined) return null;
  return <Action act={() => attempt(toggle())} label={t(isFollowing ? "leave" : "follow")} />;
}

function Actions({ post, edit }: { post: Post; edit: () => void }) {
  const { route } = useLocation();
  const isOwn = useProfile().data?.userId === post.author.userId;
  const erase = async () => {
    await answer(api.DELETE("/posts", { body: { id: post.postId } }));
    route("/");
    changePost(post.postId, () => undefined);
    announce(t("deleted"));
  };
  const remove = () => confirm(t("deletePost", { title: post.title })) && attempt(erase());
  return (
    <p class="actions">
      <Follow post={post} />
      {(can("post:update") || isOwn) && <Action act={edit} label={t("edit")} />}
      {(can("post:destroy") || isOwn) && <Action act={remove} label={t("delete")} kind="quiet danger" />}
    </p>
  );
}

function Edit({ post, close }: { post: Post; close: () => void }) {
  const { route } = useLocation();
  const send = async ({ title = "", contentMarkdown = "" }) => {
    const header = { "If-Match": `"${post.updatedAt}"` };
    const body = { id: post.postId, title, contentMarkdown };
    const { post: changed } = await answer(api.PATCH("/posts", { body, params: { header } }));
    const { slug, updatedAt } = changed;
    changePost(post.postId, (now) => ({ ...now, title, contentMarkdown, slug, updatedAt }));
    close();
    if (changed.slug !== post.slug) route(`/posts/${changed.slug}`, true);
  };
  return (
    <Form send={send} button={t("save")} close={close} draft={`edit ${post.postId}`}>
      <Field name="title" label={t("title")} value={post.title} maxLength={250} required />
      <Field name="contentMarkdown" label={t("details")} value={post.contentMarkdown ?? ""} rows={8} />
    </Form>
  );
}
