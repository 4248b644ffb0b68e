import { answer, apiAt, type Post } from "../api.ts";
import { changePost } from "../posts.ts";
import { useStatuses } from "../site.ts";
import { t } from "../text.ts";
import { Choice, Field, Form } from "./form.tsx";
import { announce } from "./notice.tsx";

const api = apiAt("");

/** What moderators do with a post: its status and the official response. */
export function Moderation({ post }: { post: Post }) {
  const statuses = useStatuses().filter(({ id, archived }) => !archived || id === post.status.id);
  const send = async ({ status = "", text = "" }) => {
    const params = { path: { postId: post.postId }, header: { "If-Match": `"${post.updatedAt}"` } };
    const body = { status, ...(text.trim() && { text }) };
    const { post: changed } = await answer(api.PUT("/posts/{postId}/status", { params, body }));
    changePost(post.postId, (now) => ({ ...now, ...changed, voters: now.voters }));
    announce(t("saved"));
  };
  return (
    <details class="panel">
      <summary>{t("respond")}</summary>
      <Form key={post.updatedAt} send={send} button={t("save")} label={t("respond")}>
        <Choice
          name="status"
          label={t("status")}
          value={post.status.id}
          options={statuses.map(({ id, name }) => ({ value: id, name }))}
        />
        <Field name="text" label={t("response")} rows={4} hint={t("markdownHint")} />
      </Form>
    </details>
  );
}
