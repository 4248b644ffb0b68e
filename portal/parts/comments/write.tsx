import { useLocation } from "preact-iso/router";
import { api, once, type Post } from "../../api.ts";
import { type Activity, linkedComment, PENDING, putComment } from "../../comments.ts";
import { put, useRead } from "../../data.ts";
import { attempt } from "../../deeds.ts";
import { announce } from "../../notices.ts";
import { changePost, following, followUnlessChosen } from "../../posts.ts";
import { token } from "../../session.ts";
import { useCan, useIsSuspended, useProfile, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { Check, Field, type Values } from "../fields.tsx";
import { Form } from "../form.tsx";
import { useOrder } from "./order.ts";

/** The name under which a comment is kept until it is sent. */
export function draftOf({ postId }: Post, parent: Activity | undefined): string {
  return `comment ${parent?.id ?? postId}`;
}

type WriteProps = { post: Post; parent?: Activity; close?: () => void; isAway?: boolean };

/** Writes a comment, or a reply to `parent`; `isAway`: that one stands away from the others. */
export function Write({ post, parent, close, isAway = false }: WriteProps) {
  const { postId, title } = post;
  const { route } = useLocation();
  const { isOldestFirst, addressOf } = useOrder(post);
  const author = useProfile().data;
  const mayNote = useCan()("comment:create_internal");
  const { data: subscription } = useRead(following(postId));
  const { sendsMail } = useSite();
  // Nothing of an account is known at first.
  const mayFollow = token.value ? subscription?.isFollowing === false && !subscription.hasChosen : true;
  const isSuspended = useIsSuspended();
  if (isSuspended) return <p class="quiet-text">{t("suspendedHint")}</p>;
  const draft = draftOf(post, parent);
  const at = parent && { at: addressOf({ comment: parent.id }) };
  const send = async ({ body = "", is_internal, follows }: Values, key: string, isReturn: boolean) => {
    const content = { body, ...(is_internal && { is_internal: true }), ...(parent && { parent_id: parent.id }) };
    const comment = { body, is_internal: content.is_internal ?? false, is_edited: false, parent_id: parent?.id };
    const shown = { id: PENDING, type: "comment", author, created_at: new Date().toISOString(), comment };
    if (author) putComment(postId, PENDING, isOldestFirst, shown as unknown as Activity);
    const path = { postId };
    const call = once(
      (header) => api.POST("/posts/{postId}/comments", { params: { path, header }, body: content }),
      key,
    );
    const { activity, held } = await call.finally(() => putComment(postId, PENDING, isOldestFirst));
    if (held) {
      announce(t("isHeld"));
      return close?.();
    }
    const isShown = putComment(postId, PENDING, isOldestFirst, activity);
    if (!is_internal) changePost(postId, ({ commentsCount }) => ({ commentsCount: commentsCount + 1 }));
    announce(t(is_internal ? "noted" : "commented"));
    // The comment is there, whatever becomes of this.
    if (follows && (mayFollow || isReturn)) void attempt(followUnlessChosen(postId));
    if (!isReturn && !isAway && isShown) return close?.();
    put(linkedComment(postId, activity.id), activity);
    route(addressOf({ comment: activity.id }), isReturn);
  };
  return (
    <Form
      send={send}
      button={t(parent ? "reply" : "addComment")}
      close={close}
      label={t(parent ? "reply" : "comment")}
      draft={draft}
      isGuarded
      door={() => ({ does: "comment", title, draft, on: postId, ...at })}
    >
      <Field
        name="body"
        label={t(parent ? "reply" : "comment")}
        rows={3}
        // As long as this is all there is in it, a phone shows one line.
        placeholder=" "
        hint={token.value ? "" : t("writeFirst")}
        isMarkdown
        required
      />
      {/* These are always there, so that a kept draft keeps them. */}
      {sendsMail && (
        <div hidden={!mayFollow}>
          <Check name="follows" label={t("followPost")} on />
        </div>
      )}
      <div hidden={!mayNote}>
        <Check name="is_internal" label={t("asNote")} on={parent?.comment.is_internal ?? false} />
      </div>
    </Form>
  );
}
