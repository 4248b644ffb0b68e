import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Post, Schemas } from "../api.ts";
import { attempt } from "../deeds.ts";
import { sendsNow, useDoor } from "../doors.ts";
import { token } from "../session.ts";
import { useCan, useProfile } from "../site.ts";
import { nameOf, t } from "../text.ts";
import { Action } from "./basics.tsx";
import { focusSoon } from "./focus.ts";
import { type Editing, loadEditing } from "./load-editing.ts";

type Thing = { post: Post; author: Schemas["Author"]; comment?: { id: string; at: string } };

/** Whether the reader may report what another person wrote; the team decides itself. */
function useMayReport({ userId }: Schemas["Author"]): boolean {
  const can = useCan();
  const isOwn = useProfile().data?.userId === userId;
  if (!token.value) return true;
  return can("report:create") && !can("post:moderate") && !isOwn;
}

/** The button that reports a post or a comment to the team, and the form that it opens. */
export function useReport({ post, author, comment }: Thing): { button: ComponentChildren; form: ComponentChildren } {
  const askToSignIn = useDoor();
  const mayReport = useMayReport(author);
  const [editing, setEditing] = useState<Editing>();
  const id = `report-${comment?.id ?? post.postId}`;
  const open = () => {
    if (token.value) return loadEditing().then(setEditing);
    return askToSignIn({ does: "report", title: post.title, opens: id, ...(comment && { at: comment.at }) });
  };
  const opens = sendsNow.value === id;
  // The visitor who pressed it has signed in.
  useEffect(() => {
    if (!opens || !mayReport) return;
    sendsNow.value = undefined;
    void attempt(open());
  }, [opens, mayReport]);
  if (!mayReport) return { button: null, form: null };
  const close = () => {
    setEditing(undefined);
    focusSoon(() => document.getElementById(id));
  };
  if (editing) {
    const form = <editing.ReportForm postId={post.postId} commentId={comment?.id} close={close} />;
    return { button: null, form };
  }
  const of = comment && { of: nameOf(author) };
  return { button: <Action act={open} label={t("report")} id={id} {...of} />, form: null };
}
