import { answer, api, type Post } from "../../api.ts";
import { keptDraft } from "../../drafts.ts";
import { Check, Choice, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useSite, useStatuses } from "../../site.ts";
import { t } from "../../text.ts";
import { teamText } from "./team-text.ts";

type RespondProps = {
  post: Pick<Post, "postId" | "status" | "updatedAt"> & { response?: Post["response"] };
  /** What happens with the post as it then is. */
  done: (changed: Post) => void;
  close?: () => void;
};

const draftOf = (postId: string) => `respond ${postId}`;

/** Whether the tab keeps an answer to a post that was not sent. */
export function isBegun(postId: string): boolean {
  return keptDraft(draftOf(postId)).key !== undefined;
}

/** Gives a post a status and the official response. */
export function Respond({ post: { postId, status, updatedAt, response }, done, close }: RespondProps) {
  const statuses = useStatuses().data?.statuses;
  const { sendsMail } = useSite();
  if (!statuses) return null;
  const possible = statuses.filter(({ id, archived }) => !archived || id === status.id);
  const given = response?.text ?? "";
  const send = async (values: Values) => {
    const { status = "", text = "" } = values;
    const params = { path: { postId }, header: { "If-Match": `"${updatedAt}"` } };
    const body = { status, notify: "notify" in values, ...(text !== given && { text }) };
    done((await answer(api.PUT("/posts/{postId}/status", { params, body }))).post as Post);
  };
  return (
    <Form send={send} button={t("save")} label={teamText("respond")} draft={draftOf(postId)} close={close}>
      <Choice name="status" label={t("status")} value={status.id} options={possible} />
      <Field name="text" label={t("response")} value={given} rows={4} isMarkdown />
      {sendsMail && <Check name="notify" label={teamText("notify")} on />}
    </Form>
  );
}
