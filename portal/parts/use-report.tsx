import { useEffect, useState } from "preact/hooks";
import type { Post, Schemas } from "../api.ts";
import { attempt } from "../deeds.ts";
import { sendsNow, useDoor } from "../doors.ts";
import { announce } from "../notices.ts";
import { token } from "../session.ts";
import { useCan, useProfile, useRights } from "../site.ts";
import { nameOf, t } from "../text.ts";
import { Action } from "./basics.tsx";
import { focusSoon } from "./focus.ts";
import { type Editing, loadEditing } from "./load-editing.ts";

/** `prefix`: of the ids of a comment that is shown a second time. */
type Thing = {
  post: Post;
  author: Schemas["Author"];
  comment?: { id: string; at: string };
  prefix?: string;
};

/**
 * Whether the reader may report what another person wrote, or why not. While it is not known who reads, and what they
 * may do, neither.
 */
function useMayReport({ userId }: Schemas["Author"]): { mayReport: boolean; refusal?: string } {
  const can = useCan();
  const rights = useRights();
  const profile = useProfile().data;
  if (!token.value) return { mayReport: true };
  if (!rights || !profile) return { mayReport: false };
  if (profile.userId === userId) return { mayReport: false, refusal: t("CANNOT_REPORT_OWN") };
  if (can("post:moderate")) return { mayReport: false, refusal: t("teamDecides") };
  return can("report:create") ? { mayReport: true } : { mayReport: false, refusal: t("suspendedHint") };
}

/** The button that reports a post or a comment to the team, and the form that it opens. */
export function useReport({ post, author, comment, prefix = "" }: Thing) {
  const askToSignIn = useDoor();
  const { mayReport, refusal } = useMayReport(author);
  const [editing, setEditing] = useState<Editing>();
  const opens = `report-${comment?.id ?? post.postId}`;
  const id = `${prefix}${opens}`;
  const open = () => {
    if (token.value) return loadEditing().then(setEditing);
    return askToSignIn({ does: "report", title: post.title, opens, ...(comment && { at: comment.at }) });
  };
  const isAsked = sendsNow.value === opens;
  // The visitor who pressed it has signed in, perhaps as the author.
  useEffect(() => {
    if (!isAsked || !(mayReport || refusal)) return;
    sendsNow.value = undefined;
    if (refusal) announce(refusal, "problem");
    else void attempt(open());
  }, [isAsked, mayReport, refusal]);
  const close = () => {
    setEditing(undefined);
    focusSoon(() => document.getElementById(id));
  };
  const of = comment && { of: nameOf(author) };
  return {
    button: mayReport && !editing && <Action act={open} label={t("report")} id={id} {...of} />,
    form: mayReport && editing && <editing.ReportForm postId={post.postId} commentId={comment?.id} close={close} />,
  };
}
