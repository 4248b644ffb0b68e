import { answer, api, Failure, type Post } from "../api.ts";
import { type Activity, changeComment } from "../comments.ts";
import { announce } from "../notices.ts";
import { changePost } from "../posts.ts";
import { t } from "../text.ts";
import { changedIn } from "./changed-in.ts";
import { Field } from "./fields.tsx";
import { Form } from "./form.tsx";

/** Changes a post. */
export function EditPost({ post, close }: { post: Post; close: () => void }) {
  const send = async ({ title = "", contentMarkdown = "" }) => {
    const header = { "If-Match": `"${post.updatedAt}"` };
    const edited = { title, contentMarkdown };
    const body = { id: post.postId, ...changedIn(post, edited) };
    const { slug, updatedAt } = (await answer(api.PATCH("/posts", { body, params: { header } }))).post;
    changePost(post.postId, () => ({ ...edited, slug, updatedAt }));
    announce(t("saved"));
    close();
  };
  return (
    <Form send={send} button={t("save")} close={close} draft={`edit ${post.postId}`}>
      <Field name="title" label={t("title")} value={post.title} maxLength={250} required />
      <Field name="contentMarkdown" label={t("details")} value={post.contentMarkdown ?? ""} rows={8} isMarkdown />
    </Form>
  );
}

/** Changes a comment. */
export function EditComment({ postId, each, close }: { postId: string; each: Activity; close: () => void }) {
  const send = async ({ body = "" }) => {
    const path = { postId, commentId: each.id };
    const call = api.PUT("/posts/{postId}/comments/{commentId}", { params: { path }, body: { body } });
    const { comment } = await answer(call);
    changeComment(postId, each.id, { comment });
    announce(t("saved"));
    close();
  };
  return (
    <Form send={send} button={t("save")} close={close} draft={`edit ${each.id}`}>
      <Field name="body" label={t("comment")} value={each.comment.body} rows={4} isMarkdown required />
    </Form>
  );
}

/** Deletes a comment. The page takes it out immediately, and puts it back if the service refuses. */
export async function removeComment(postId: string, { id, comment }: Activity): Promise<void> {
  changeComment(postId, id, { gone: true });
  try {
    const params = { path: { postId, commentId: id } };
    await answer(api.DELETE("/posts/{postId}/comments/{commentId}", { params }));
    if (!comment.is_internal) changePost(postId, ({ commentsCount }) => ({ commentsCount: commentsCount - 1 }));
    announce(t("deleted"));
  } catch (failure) {
    changeComment(postId, id, { gone: false });
    announce(t("takenBack", { reason: (failure as Error).message }), "problem");
  }
}

/** Deletes a post; `leave` leads away from its page. */
export async function removePost(postId: string, leave: () => void): Promise<void> {
  await answer(api.DELETE("/posts", { body: { id: postId } }));
  leave();
  changePost(postId, () => undefined);
  announce(t("deleted"));
}

/** A report that was lost on its way back, or is made again: there is nothing more to do. */
function unlessReported(failure: unknown): string {
  if (failure instanceof Failure && failure.code === "ALREADY_REPORTED") return failure.message;
  throw failure;
}

type ReportFormProps = { postId: string; commentId: string | undefined; close: () => void };

/** Reports a post or a comment to the team. */
export function ReportForm({ postId, commentId, close }: ReportFormProps) {
  const send = async ({ reason = "" }) => {
    const body = { reason };
    const call = commentId
      ? api.POST("/posts/{postId}/comments/{commentId}/report", { params: { path: { postId, commentId } }, body })
      : api.POST("/posts/{postId}/report", { params: { path: { postId } }, body });
    announce(await answer(call).then(() => t("reported"), unlessReported));
    close();
  };
  return (
    <Form send={send} button={t("report")} close={close} label={t("report")} draft={`report ${commentId ?? postId}`}>
      <Field name="reason" label={t("reportReason")} hint={t("reportHint")} rows={2} maxLength={300} />
    </Form>
  );
}
