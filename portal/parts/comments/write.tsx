import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Post } from "../../api.ts";
import { type Activity, linkedComment, PENDING, putComment, sendComment } from "../../comments.ts";
import { put, useRead } from "../../data.ts";
import { attempt } from "../../deeds.ts";
import { announce } from "../../notices.ts";
import { changePost, following, followUnlessChosen } from "../../posts.ts";
import { token } from "../../session.ts";
import { useIsSuspended, useProfile, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { Check, Field, type Values } from "../fields.tsx";
import { Form } from "../form.tsx";
import { ShownAs } from "../shown-as.tsx";
import { useTeamTools } from "../use-team-tools.ts";
import { useOrder } from "./order.ts";

/** The name under which a comment is kept until it is sent. */
export function draftOf({ postId }: Post, parent: Activity | undefined): string {
  return `write-${parent?.id ?? postId}`;
}

type WriteProps = { post: Post; parent?: Activity; close?: () => void; isAway?: boolean };

/** Writes a comment, or a reply to `parent`; `isAway`: that one stands away from the others. */
export function Write({ post, parent, close, isAway = false }: WriteProps) {
  const { postId, title } = post;
  const { route } = useLocation();
  const { isOldestFirst, addressOf } = useOrder(post);
  const author = useProfile().data;
  const note = useTeamTools()?.wordsOfNote();
  const { data: subscription } = useRead(following(postId));
  const { sendsMail } = useSite();
  // Until it is known what an account has chosen, the box keeps its place.
  const mayFollow = !subscription?.isFollowing && !subscription?.hasChosen;
  const isReplyToNote = parent?.comment.is_internal ?? false;
  const [isNote, setNote] = useState(isReplyToNote);
  const isSuspended = useIsSuspended();
  if (isSuspended) return <p class="quiet-text">{t("suspendedHint")}</p>;
  const draft = draftOf(post, parent);
  const answering = parent && { at: addressOf({ comment: parent.id }), answers: parent.id };
  const send = async ({ body = "", is_internal, follows }: Values, key: string, isReturn: boolean) => {
    const content = { body, is_internal: Boolean(is_internal), ...(parent && { parent_id: parent.id }) };
    const comment = { ...content, is_edited: false };
    const shown = { id: PENDING, type: "comment", author, created_at: new Date().toISOString(), comment };
    if (author) putComment(postId, PENDING, isOldestFirst, shown as unknown as Activity);
    const call = sendComment(postId, content, key);
    const { activity, held } = await call.finally(() => putComment(postId, PENDING, isOldestFirst));
    if (held) {
      announce(t("isHeld"));
      return close?.();
    }
    const isShown = putComment(postId, PENDING, isOldestFirst, activity);
    if (!is_internal) changePost(postId, ({ commentsCount }) => ({ commentsCount: commentsCount + 1 }));
    announce((is_internal && note?.saved) || t("commented"));
    // The comment is there, whatever becomes of this.
    if (follows && !is_internal && (mayFollow || isReturn)) void attempt(followUnlessChosen(postId));
    setNote(isReplyToNote);
    if (!isReturn && !isAway && isShown) return close?.();
    put(linkedComment(postId, activity.id), activity);
    route(addressOf({ comment: activity.id }), isReturn);
  };
  const usual = parent ? { label: t("reply"), button: t("reply") } : { label: t("comment"), button: t("addComment") };
  const { label, button } = (isNote && note) || usual;
  return (
    <Form
      send={send}
      button={button}
      close={close}
      label={label}
      draft={draft}
      isGuarded
      door={() => ({ does: "comment", title, draft, on: postId, ...answering })}
    >
      <Field
        name="body"
        label={label}
        rows={3}
        // As long as this is all there is in it, a phone shows one line.
        placeholder=" "
        hint={token.value ? "" : t("writeFirst")}
        isMarkdown
        required
      />
      <ShownAs />
      {/* These are always there, so that a kept draft keeps them. */}
      <div class="options">
        {sendsMail && (
          <div hidden={!mayFollow || isNote}>
            <Check name="follows" label={t("followPost")} on />
          </div>
        )}
        <div hidden={!note}>
          <Check name="is_internal" label={note?.choice} on={isReplyToNote} turn={setNote} />
        </div>
      </div>
    </Form>
  );
}
