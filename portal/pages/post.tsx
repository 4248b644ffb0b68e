import { useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso";
import { answer, apiAt, type Post } from "../api.ts";
import { useRead } from "../data.ts";
import { Avatar, Badge, Problem, Skeleton, When } from "../parts/basics.tsx";
import { Comments } from "../parts/comments.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Moderation } from "../parts/moderation.tsx";
import { announce } from "../parts/notice.tsx";
import { VoteButton } from "../parts/post-row.tsx";
import { changePost } from "../posts.ts";
import { can, useProfile } from "../site.ts";
import { t } from "../text.ts";

const api = apiAt("");

export function PostPage() {
  const { slug = "" } = useRoute().params;
  const {
    data: post,
    failure,
    again,
  } = useRead(`post ${slug}`, async (client) => {
    const { post } = await answer(client.POST("/posts/slug", { body: { slug } }));
    return post as Post;
  });
  if (failure) return <Problem failure={failure} {...(failure.status !== 404 && { again })} />;
  if (!post) return <Skeleton />;
  return (
    <article class="post">
      <VoteButton post={post} />
      <div>
        <Body key={post.updatedAt} post={post} />
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
      <h1>{title}</h1>
      <p class="meta">
        <Badge color={status.color}>{status.name}</Badge>
        {board && <Badge color={board.color}>{board.name}</Badge>}
        {roadmap && <Badge color={roadmap.color}>{roadmap.name}</Badge>}
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
      {!edits && <Actions post={post} edit={() => setEdits(true)} />}
      {response && (
        <aside class="response" aria-label={t("response")}>
          <h2>{t("response")}</h2>
          <p class="meta">
            <Badge color={response.status.color}>{response.status.name}</Badge> <When at={response.respondedAt} />
          </p>
          <Markdown text={response.text} />
        </aside>
      )}
    </>
  );
}

function Actions({ post, edit }: { post: Post; edit: () => void }) {
  const { route } = useLocation();
  const isOwn = useProfile()?.userId === post.author.userId;
  const remove = async () => {
    if (!confirm(t("deletePost", { title: post.title }))) return;
    try {
      await answer(api.DELETE("/posts", { body: { id: post.postId } }));
      announce(t("deleted"));
      route("/");
    } catch (failure) {
      announce((failure as Error).message, "problem");
    }
  };
  return (
    <p class="actions">
      {(can("post:update") || isOwn) && (
        <button type="button" class="quiet" onClick={edit}>
          {t("edit")}
        </button>
      )}
      {(can("post:destroy") || isOwn) && (
        <button type="button" class="quiet danger" onClick={remove}>
          {t("delete")}
        </button>
      )}
    </p>
  );
}

function Edit({ post, close }: { post: Post; close: () => void }) {
  const { route } = useLocation();
  const send = async ({ title = "", contentMarkdown = "" }) => {
    const header = { "If-Match": `"${post.updatedAt}"` };
    const body = { id: post.postId, title, contentMarkdown };
    const { post: changed } = await answer(api.PATCH("/posts", { body, params: { header } }));
    changePost(post.postId, (now) => ({
      ...now,
      ...{ title, contentMarkdown, slug: changed.slug, updatedAt: changed.updatedAt },
    }));
    close();
    if (changed.slug !== post.slug) route(`/posts/${changed.slug}`, true);
  };
  const beside = (
    <button type="button" class="quiet" onClick={close}>
      {t("cancel")}
    </button>
  );
  return (
    <Form send={send} button={t("save")} beside={beside}>
      <Field name="title" label={t("title")} value={post.title} maxLength={250} required />
      <Field name="contentMarkdown" label={t("details")} value={post.contentMarkdown ?? ""} rows={8} />
    </Form>
  );
}
