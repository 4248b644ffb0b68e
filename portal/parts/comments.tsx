import { useState } from "preact/hooks";
import { type Api, answer, apiAt, once, type Post, type Schemas, token } from "../api.ts";
import { change, useRead } from "../data.ts";
import { changePost } from "../posts.ts";
import { can, useProfile } from "../site.ts";
import { t } from "../text.ts";
import { Avatar, Problem, Skeleton, When } from "./basics.tsx";
import { Field, Form } from "./form.tsx";
import { Markdown } from "./markdown.tsx";
import { announce } from "./notice.tsx";

const api = apiAt("");

type Activity = Schemas["Activity"];
type Page = { activity: Activity[]; after?: string };

function keyOf(postId: string): string {
  return `comments ${postId}`;
}

async function page(client: Api, postId: string, seesNotes: boolean, after?: string): Promise<Page> {
  const query = { first: 20, ...(after && { after }), ...(seesNotes && { visibility: "public,internal" }) };
  const { activity, page_info: info } = await answer(
    client.GET("/posts/{postId}/activity", { params: { path: { postId }, query } }),
  );
  return { activity, ...(info.has_next_page && info.end_cursor && { after: info.end_cursor }) };
}

function changeComments(postId: string, how: (activity: Activity[]) => Activity[]): void {
  change((data, key) => {
    if (!key.startsWith(keyOf(postId))) return data;
    const { activity, ...rest } = data as Page;
    return { ...rest, activity: how(activity) };
  });
}

/** The comments on a post, the newest first, page by page; replies name the comment that they answer. */
export function Comments({ post }: { post: Post }) {
  return (
    <section aria-labelledby="comments">
      <h2 id="comments">{t("comments", { n: post.commentsCount })}</h2>
      {token.value ? <Write post={post} /> : <p class="quiet-text">{t("signInToComment")}</p>}
      <Pages post={post} />
    </section>
  );
}

function Pages({ post, after }: { post: Post; after?: string }) {
  const seesNotes = can("comment:view_internal");
  const key = [keyOf(post.postId), seesNotes && "notes", after].filter(Boolean).join(" ");
  const { data, failure, again } = useRead(key, (client) => page(client, post.postId, seesNotes, after));
  const [more, setMore] = useState(false);
  if (failure) return <Problem failure={failure} again={again} />;
  if (!data) return <Skeleton lines={2} />;
  return (
    <>
      <ol class="comments">
        {data.activity.map((each) => (
          <Comment key={each.id} post={post} each={each} all={data.activity} />
        ))}
      </ol>
      {data.after && !more && (
        <button type="button" class="more" onClick={() => setMore(true)}>
          {t("more")}
        </button>
      )}
      {data.after && more && <Pages post={post} after={data.after} />}
    </>
  );
}

function Comment({ post, each, all }: { post: Post; each: Activity; all: Activity[] }) {
  const { author, comment } = each;
  const [mode, setMode] = useState<"reply" | "edit">();
  const isOwn = useProfile()?.userId === author.userId;
  const close = () => setMode(undefined);
  const parent = all.find(({ id }) => id === comment.parent_id)?.author.name;
  const remove = async () => {
    if (!confirm(t("deleteComment"))) return;
    const path = { postId: post.postId, commentId: each.id };
    changeComments(post.postId, (known) => known.filter(({ id }) => id !== each.id));
    try {
      await answer(api.DELETE("/posts/{postId}/comments/{commentId}", { params: { path } }));
      if (!comment.is_internal) changePost(post.postId, (now) => ({ ...now, commentsCount: now.commentsCount - 1 }));
    } catch (failure) {
      changeComments(post.postId, (known) => [...known, each].sort((a, b) => (a.id < b.id ? 1 : -1)));
      announce(t("takenBack", { reason: (failure as Error).message }), "problem");
    }
  };
  return (
    <li id={each.id} class={comment.is_internal ? "note" : undefined}>
      <p class="by">
        <Avatar author={author} /> {author.name}
        <span class="quiet-text">
          {author.role && ` · ${author.role}`} · <When at={each.created_at} />
          {comment.is_edited && ` · ${t("edited")}`}
          {comment.is_internal && ` · ${t("note")}`}
        </span>
      </p>
      {comment.parent_id && (
        <p class="quiet-text">
          <a href={`#${comment.parent_id}`}>{t("replyTo", { name: parent ?? t("earlier") })}</a>
        </p>
      )}
      {mode === "edit" ? <Change post={post} each={each} close={close} /> : <Markdown text={comment.body} />}
      {token.value && mode === undefined && (
        <p class="actions">
          <button type="button" class="quiet" onClick={() => setMode("reply")}>
            {t("reply")}
          </button>
          {(isOwn || can("comment:update:any")) && (
            <button type="button" class="quiet" onClick={() => setMode("edit")}>
              {t("edit")}
            </button>
          )}
          {(isOwn || can("comment:delete:any")) && (
            <button type="button" class="quiet danger" onClick={remove}>
              {t("delete")}
            </button>
          )}
        </p>
      )}
      {mode === "reply" && <Write post={post} parent={each} close={close} />}
    </li>
  );
}

function Change({ post, each, close }: { post: Post; each: Activity; close: () => void }) {
  const send = async ({ body = "" }) => {
    const path = { postId: post.postId, commentId: each.id };
    const { comment } = await answer(
      api.PUT("/posts/{postId}/comments/{commentId}", { params: { path }, body: { body } }),
    );
    changeComments(post.postId, (known) => known.map((one) => (one.id === each.id ? { ...one, comment } : one)));
    close();
  };
  return (
    <Form send={send} button={t("save")} beside={<Cancel close={close} />}>
      <Field name="body" label={t("comment")} value={each.comment.body} rows={4} required />
    </Form>
  );
}

function Write({ post, parent, close }: { post: Post; parent?: Activity; close?: () => void }) {
  const [written, setWritten] = useState(0);
  const send = async ({ body = "", is_internal }: Record<string, string>) => {
    const content = { body, ...(is_internal && { is_internal: true }), ...(parent && { parent_id: parent.id }) };
    const path = { postId: post.postId };
    const { activity } = await once((header) =>
      api.POST("/posts/{postId}/comments", { params: { path, header }, body: content }),
    );
    changeComments(post.postId, (known) => [activity, ...known.filter(({ id }) => id !== activity.id)]);
    if (!is_internal) changePost(post.postId, (now) => ({ ...now, commentsCount: now.commentsCount + 1 }));
    announce(t("commented"));
    // An empty form takes the place of the one that was sent.
    setWritten(written + 1);
    close?.();
  };
  const isNote = parent?.comment.is_internal ?? false;
  return (
    <Form
      key={written}
      send={send}
      button={t(parent ? "reply" : "addComment")}
      beside={close && <Cancel close={close} />}
      label={t("comment")}
    >
      <Field name="body" label={t(parent ? "reply" : "comment")} rows={3} required />
      {can("comment:create_internal") && (
        <label class="check">
          <input type="checkbox" name="is_internal" defaultChecked={isNote} /> {t("asNote")}
        </label>
      )}
    </Form>
  );
}

function Cancel({ close }: { close: () => void }) {
  return (
    <button type="button" class="quiet" onClick={close}>
      {t("cancel")}
    </button>
  );
}
