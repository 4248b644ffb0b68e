import { useState } from "preact/hooks";
import { type Api, answer, api, once, type Post, type Schemas, token } from "../api.ts";
import { change, define } from "../data.ts";
import { announce } from "../notices.ts";
import { nextOf } from "../paging.ts";
import { changePost } from "../posts.ts";
import { useCan, useProfile, useSignInUrl } from "../site.ts";
import { t } from "../text.ts";
import { Action, Badge, By, When } from "./basics.tsx";
import { Check, Field, Form, type Values } from "./form.tsx";
import { Markdown } from "./markdown.tsx";
import { Pages } from "./pages.tsx";

/** A comment; `gone` while it is being deleted. */
type Activity = Schemas["Activity"] & { gone?: boolean };
type Page = { activity: (Activity | Schemas["StatusActivity"])[]; isFirst: boolean; after?: string };

async function pageOf(client: Api, postId: string, seesNotes: boolean, after?: string): Promise<Page> {
  const query = {
    first: 20,
    type: ["comment" as const, "status" as const],
    ...(after && { after }),
    ...(seesNotes && { visibility: ["public", "internal"] as ("public" | "internal")[] }),
  };
  const params = { path: { postId }, query };
  const { activity, page_info } = await answer(client.GET("/posts/{postId}/activity", { params }));
  return { activity, isFirst: after === undefined, ...nextOf(page_info) };
}

const comments = define("comments", pageOf);

function changePages(postId: string, how: (page: Page) => Page["activity"]): void {
  change(comments, (page, ofPost) => (ofPost === postId ? { ...page, activity: how(page) } : page));
}

function changeComment(postId: string, id: string, changes: Partial<Activity>): void {
  changePages(postId, ({ activity }) =>
    activity.map((each) => (each.id === id ? ({ ...each, ...changes } as Activity) : each)),
  );
}

/** Puts a comment on top, or another one in its place. */
function putComment(postId: string, id: string, ...comment: Activity[]): void {
  changePages(postId, ({ activity, isFirst }) => {
    const others = activity.filter((each) => each.id !== id && each.id !== comment[0]?.id);
    return isFirst ? [...comment, ...others] : others;
  });
}

/** The comments on a post, the newest first, page by page; replies name the comment that they answer. */
export function Comments({ post }: { post: Post }) {
  const seesNotes = useCan()("comment:view_internal");
  const signInUrl = useSignInUrl();
  return (
    <section aria-labelledby="comments">
      <h2 id="comments">{t("comments", { n: post.commentsCount })}</h2>
      {token.value ? (
        <Write postId={post.postId} />
      ) : (
        <p class="quiet-text">
          <a href={signInUrl}>{t("signInToComment")}</a>
        </p>
      )}
      <Pages
        key={`${post.postId} ${seesNotes}`}
        query={(after) => comments(post.postId, seesNotes, after)}
        show={({ activity }) => (
          <ol class="comments">
            {activity.map((each) =>
              each.type === "status" ? (
                <Moved key={each.id} change={each} />
              ) : (
                !each.gone && <Comment key={each.id} postId={post.postId} each={each} all={activity} />
              ),
            )}
          </ol>
        )}
      />
    </section>
  );
}

function Moved({ change: { from, to, created_at } }: { change: Schemas["StatusActivity"] }) {
  return (
    <li class="meta">
      {t("status")} {from && <Badge of={from} />} → {to && <Badge of={to} isStatus />} <When at={created_at} />
    </li>
  );
}

function Comment({ postId, each, all }: { postId: string; each: Activity; all: Page["activity"] }) {
  const { author, comment } = each;
  const [mode, setMode] = useState<"reply" | "edit">();
  const isOwn = useProfile().data?.userId === author.userId;
  const can = useCan();
  const close = () => {
    setMode(undefined);
    requestAnimationFrame(() => document.getElementById(each.id)?.querySelector("button")?.focus());
  };
  const parent = all.find((other): other is Activity => other.id === comment.parent_id && other.type === "comment");
  const remove = async () => {
    const path = { postId, commentId: each.id };
    changeComment(postId, each.id, { gone: true });
    try {
      await answer(api.DELETE("/posts/{postId}/comments/{commentId}", { params: { path } }));
      if (!comment.is_internal) changePost(postId, (now) => ({ ...now, commentsCount: now.commentsCount - 1 }));
      announce(t("deleted"));
    } catch (failure) {
      changeComment(postId, each.id, { gone: false });
      announce(t("takenBack", { reason: (failure as Error).message }), "problem");
    }
  };
  return (
    <li id={each.id} class={comment.is_internal ? "note" : undefined}>
      <By author={author} at={each.created_at}>
        {author.role && ` · ${t(author.role)}`}
        {comment.is_edited && ` · ${t("edited")}`}
        {comment.is_internal && ` · ${t("note")}`}
      </By>
      {comment.parent_id && (
        <p class="meta">
          {parent ? <a href={`#${parent.id}`}>{t("replyTo", { name: parent.author.name })}</a> : t("replyToEarlier")}
        </p>
      )}
      {mode === "edit" ? <Change postId={postId} each={each} close={close} /> : <Markdown text={comment.body} />}
      {token.value && mode === undefined && each.id !== PENDING && (
        <p class="actions">
          <Action act={() => setMode("reply")} label={t("reply")} />
          {(isOwn || can("comment:update:any")) && <Action act={() => setMode("edit")} label={t("edit")} />}
          {(isOwn || can("comment:delete:any")) && <Action act={remove} label={t("delete")} ask={t("deleteComment")} />}
        </p>
      )}
      {mode === "reply" && <Write postId={postId} parent={each} close={close} />}
    </li>
  );
}

function Change({ postId, each, close }: { postId: string; each: Activity; close: () => void }) {
  const send = async ({ body = "" }) => {
    const path = { postId, commentId: each.id };
    const call = api.PUT("/posts/{postId}/comments/{commentId}", { params: { path }, body: { body } });
    const { comment } = await answer(call);
    changeComment(postId, each.id, { comment });
    close();
  };
  return (
    <Form send={send} button={t("save")} close={close} draft={`edit ${each.id}`}>
      <Field name="body" label={t("comment")} value={each.comment.body} rows={4} required />
    </Form>
  );
}

/** The id of a comment that is shown before the service has it. */
const PENDING = "pending";

function Write({ postId, parent, close }: { postId: string; parent?: Activity; close?: () => void }) {
  const author = useProfile().data;
  const mayNote = useCan()("comment:create_internal");
  const send = async ({ body = "", is_internal }: Values, key: string) => {
    const content = { body, ...(is_internal && { is_internal: true }), ...(parent && { parent_id: parent.id }) };
    const comment = { body, is_internal: content.is_internal ?? false, is_edited: false, parent_id: parent?.id };
    const shown = { id: PENDING, type: "comment", author, created_at: new Date().toISOString(), comment };
    if (author) putComment(postId, PENDING, shown as unknown as Activity);
    const path = { postId };
    const call = once(
      (header) => api.POST("/posts/{postId}/comments", { params: { path, header }, body: content }),
      key,
    );
    const { activity } = await call.finally(() => putComment(postId, PENDING));
    putComment(postId, PENDING, activity);
    if (!is_internal) changePost(postId, (now) => ({ ...now, commentsCount: now.commentsCount + 1 }));
    announce(t(is_internal ? "saved" : "commented"));
    close?.();
  };
  return (
    <Form
      send={send}
      button={t(parent ? "reply" : "addComment")}
      close={close}
      label={t(parent ? "reply" : "comment")}
      draft={`comment ${parent?.id ?? postId}`}
    >
      <Field name="body" label={t(parent ? "reply" : "comment")} rows={3} required />
      {/* Always there, so that a kept draft of a note stays one. */}
      <div hidden={!mayNote}>
        <Check name="is_internal" label={t("asNote")} on={parent?.comment.is_internal ?? false} />
      </div>
    </Form>
  );
}
