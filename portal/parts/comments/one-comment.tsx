import { useEffect, useState } from "preact/hooks";
import type { Post } from "../../api.ts";
import { type Activity, type Item, PENDING } from "../../comments.ts";
import { sendsNow } from "../../doors.ts";
import { useCan, useIsSuspended, useProfile } from "../../site.ts";
import { nameOf, t } from "../../text.ts";
import { Action, By } from "../basics.tsx";
import { focusSoon } from "../focus.ts";
import { Icon } from "../icons.tsx";
import { type Editing, loadEditing } from "../load-editing.ts";
import { Markdown } from "../markdown.tsx";
import { MergedLine } from "../merged-line.tsx";
import { useReport } from "../use-report.tsx";
import { useIsClosed } from "./closed.ts";
import { useOrder } from "./order.ts";
import { draftOf, Write } from "./write.tsx";

type CommentProps = { post: Post; each: Activity; all: Item[]; prefix?: string; isNamed?: boolean };

/** A comment with what can be done with it. */
export function OneComment({ post, each, all, prefix = "", isNamed }: CommentProps) {
  const { postId } = post;
  const { author, comment, id } = each;
  const { addressOf } = useOrder(post);
  const [mode, setMode] = useState<"reply" | Editing>();
  const isPending = id === PENDING;
  const isOwn = useProfile().data?.userId === author.userId;
  const can = useCan();
  const isSuspended = useIsSuspended();
  const isClosed = useIsClosed(post);
  const report = useReport({ post, author, comment: { id, at: addressOf({ comment: id }) }, prefix });
  const close = () => {
    // The button that opened the form.
    const place = mode === "reply" || isClosed ? 0 : 1;
    setMode(undefined);
    focusSoon(() => document.getElementById(`${prefix}actions-${id}`)?.querySelectorAll("button")[place]);
  };
  const sending = sendsNow.value;
  // The visitor who wrote a reply has signed in, and comes back to what it answers.
  useEffect(() => {
    if (isNamed && sending === draftOf(post, each)) setMode("reply");
  }, [sending]);
  const hasParentHere = all.some((other) => other.id === comment.parent_id);
  return (
    <div class="comment" aria-busy={isPending}>
      {comment.is_internal && (
        <p class="note-mark">
          <Icon name="lock" /> {t("note")}
        </p>
      )}
      <By author={author} at={each.created_at} href={addressOf({ comment: id })}>
        {comment.is_edited && <span class="quiet-text">{t("edited")}</span>}
        {isPending && <span class="quiet-text">{t("sending")}</span>}
      </By>
      {comment.parent_id && !hasParentHere && (
        <p class="meta">
          <a href={addressOf({ comment: comment.parent_id })}>{t("replyToEarlier")}</a>
        </p>
      )}
      {comment.from && <MergedLine named={comment.from} into={postId} words="fromMerged" />}
      {typeof mode === "object" ? (
        <mode.EditComment postId={postId} each={each} close={close} />
      ) : (
        <Markdown text={comment.body} above={2} />
      )}
      {mode === undefined && !isPending && !isSuspended && (
        <p class="actions" id={`${prefix}actions-${id}`}>
          {!isClosed && <Action act={() => setMode("reply")} label={t("reply")} of={nameOf(author)} />}
          {(isOwn || can("comment:update:any")) && <Action act={() => loadEditing().then(setMode)} label={t("edit")} />}
          {(isOwn || can("comment:delete:any")) && (
            <Action
              act={() => loadEditing().then(({ removeComment }) => removeComment(postId, each))}
              label={t("delete")}
              ask={t("deleteComment")}
            />
          )}
          {report.button}
        </p>
      )}
      {report.form}
      {mode === "reply" && !isClosed && <Write post={post} parent={each} close={close} isAway={prefix !== ""} />}
    </div>
  );
}
