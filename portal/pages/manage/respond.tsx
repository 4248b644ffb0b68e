import { useState } from "preact/hooks";
import { answer, api, type Failure, type Post } from "../../api.ts";
import { keptDraft } from "../../drafts.ts";
import { Pending } from "../../parts/basics.tsx";
import { Check, Choice, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useSite, useStatuses } from "../../site.ts";
import { t } from "../../text.ts";
import { teamText } from "./team-text.ts";

type Shown = Pick<Post, "postId" | "status" | "updatedAt"> & { response?: Post["response"] };

type RespondProps = {
  post: Shown;
  /** What happens with the post as it then is. */
  done: (changed: Post) => void;
  close?: () => void;
};

const draftOf = (postId: string) => `respond ${postId}`;

/** Whether the tab keeps an answer to a post that was not sent. */
export function isBegun(postId: string): boolean {
  return keptDraft(draftOf(postId)).key !== undefined;
}

type Body = { status: string; notify: boolean; text?: string };

async function put({ postId, updatedAt }: Shown, body: Body): Promise<Post> {
  const params = { path: { postId }, header: { "If-Match": `"${updatedAt}"` } };
  return (await answer(api.PUT("/posts/{postId}/status", { params, body }))).post as Post;
}

/** The post as it is now, if it still has the status and the response that the form shows. */
async function withSameAnswer({ postId, status, response }: Shown): Promise<Shown | undefined> {
  const { post: now } = await answer(api.GET("/posts/{postId}", { params: { path: { postId } } }));
  // A post that was merged is read as the one in which it continues.
  const isSame = now.postId === postId && now.status.id === status.id && now.response?.text === response?.text;
  return isSame ? now : undefined;
}

/** Sends an answer. What others do with the post besides, such as pin it or give it a title, does not stop that. */
async function respond(shown: Shown, body: Body): Promise<Post> {
  try {
    return await put(shown, body);
  } catch (failure) {
    const now = (failure as Failure).status === 412 && (await withSameAnswer(shown));
    if (!now) throw failure;
    return put(now, body);
  }
}

/** Gives a post a status and the official response. */
export function Respond({ post, done, close }: RespondProps) {
  const { postId, status, response } = post;
  const { data, ...read } = useStatuses();
  const { sendsMail } = useSite();
  const [chosen] = useState(() => keptDraft(draftOf(postId)).values?.status ?? status.id);
  // Nobody waits for the other statuses to type, unless a draft has chosen one of them: its name is not known yet.
  if (!data && (read.failure || chosen !== status.id)) return <Pending {...read} />;
  const possible = data?.statuses.filter(({ id, archived }) => !archived || id === status.id) ?? [status];
  const given = response?.text ?? "";
  const send = async (values: Values) => {
    const { status = "", text = "" } = values;
    done(await respond(post, { status, notify: "notify" in values, ...(text !== given && { text }) }));
  };
  return (
    <Form send={send} button={t("save")} label={teamText("respond")} draft={draftOf(postId)} close={close}>
      <Choice name="status" label={t("status")} value={status.id} options={possible} />
      <Field name="text" label={t("response")} value={given} rows={4} isMarkdown />
      {sendsMail && <Check name="notify" label={teamText("notify")} on />}
    </Form>
  );
}
