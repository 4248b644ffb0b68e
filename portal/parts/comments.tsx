import { createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { api, once, type Post, type Schemas } from "../api.ts";
import {
  type Activity,
  comments,
  type Item,
  isComment,
  linkedComment,
  PENDING,
  putComment,
  type Thread,
  threadsOf,
} from "../comments.ts";
import { put, useRead } from "../data.ts";
import { attempt } from "../deeds.ts";
import { sendsNow } from "../doors.ts";
import { announce } from "../notices.ts";
import { changePost, following, followUnlessChosen } from "../posts.ts";
import { token } from "../session.ts";
import { useCan, useIsSuspended, useProfile, useSite } from "../site.ts";
import { nameOf, t } from "../text.ts";
import { Action, Badge, By, notTranslated, When } from "./basics.tsx";
import { Check, Field, type Values } from "./fields.tsx";
import { focusSoon } from "./focus.ts";
import { Form } from "./form.tsx";
import { Icon } from "./icons.tsx";
import { type Editing, loadEditing } from "./load-editing.ts";
import { Markdown } from "./markdown.tsx";
import { MergedLine } from "./merged-line.tsx";
import { FromTheFirst, Pages } from "./pages.tsx";
import { useReport } from "./use-report.tsx";

/** The comment that the address names, if it stands among those that are shown first. */
const Named = createContext<string | undefined>(undefined);

/** Whether the address asks for the oldest comments first, and the address of a page of them, or of one of them. */
function useOrder({ slug }: Pick<Post, "slug">) {
  const isOldestFirst = useLocation().query.order === "oldest";
  const addressOf = (more: Record<string, string> = {}, oldest = isOldestFirst) => {
    const query = new URLSearchParams({ ...(oldest && { order: "oldest" }), ...more }).toString();
    return query ? `/posts/${slug}?${query}` : `/posts/${slug}`;
  };
  return { isOldestFirst, addressOf };
}

/** The comments on a post in an order, page by page; replies stand below what they answer, the oldest first. */
export function Comments({ post }: { post: Post }) {
  const { query } = useLocation();
  const { isOldestFirst, addressOf } = useOrder(post);
  useOldAddress(post);
  const isClosed = useIsClosed(post);
  const seesNotes = useCan()("comment:view_internal");
  const { data, failure } = useRead(comments(post.postId, seesNotes, isOldestFirst, query.after));
  const isThere = data?.activity.some(({ id }) => id === query.comment) ?? false;
  const isElsewhere = (data !== undefined || failure !== undefined) && !isThere;
  return (
    <section aria-labelledby="comments">
      <div class="of-comments">
        <h2 id="comments" {...notTranslated}>
          {t("comments", { n: post.commentsCount })}
        </h2>
        {post.commentsCount > 1 && (
          <nav class="tabs" aria-label={t("order")}>
            {[false, true].map((oldest) => (
              <a
                key={oldest}
                href={`${addressOf({}, oldest)}#comments`}
                aria-current={oldest === isOldestFirst ? "true" : undefined}
              >
                {t(oldest ? "oldestFirst" : "newestFirst")}
              </a>
            ))}
          </nav>
        )}
      </div>
      {query.comment && isElsewhere && <Linked key={query.comment} post={post} id={query.comment} />}
      {post.isLocked && (
        <p class="meta">
          <Icon name="lock" /> {t("POST_LOCKED")}
        </p>
      )}
      {!isClosed && <Write post={post} />}
      {query.after && <FromTheFirst href={addressOf()} />}
      <Named.Provider value={isThere ? query.comment : undefined}>
        <Pages
          key={`${post.postId} ${seesNotes} ${isOldestFirst} ${query.after}`}
          query={(after = query.after) => comments(post.postId, seesNotes, isOldestFirst, after)}
          address={(after) => `${addressOf({ after })}#comments`}
          show={({ activity }) => (
            <ol class="comments">
              {threadsOf(activity, isOldestFirst).map((thread) => (
                <Branch key={thread.item.id} post={post} thread={thread} all={activity} />
              ))}
            </ol>
          )}
        />
      </Named.Provider>
    </section>
  );
}

/** Whether the reader cannot comment, because the post is locked. */
function useIsClosed({ isLocked }: Post): boolean {
  const isOfTeam = useCan()("post:moderate");
  return isLocked && !isOfTeam;
}

/** Mails name a comment behind `#`, which the server does not see, and which finds only what is on the page. */
function useOldAddress({ slug }: Post): void {
  const { route } = useLocation();
  useEffect(() => {
    const [, id] = /^#([0-9a-f-]{36})$/.exec(location.hash) ?? [];
    if (id) route(`/posts/${slug}?comment=${id}`, true);
  }, []);
}

/** Brings the comment that the address names to the screen, with the keyboard, once it is there. */
function useShown(isThere: boolean) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isThere) return;
    element.current?.focus();
    element.current?.scrollIntoView({ block: "center" });
  }, [isThere]);
  return element;
}

/** The comment that the address names, above all others: it stands on a later page of them. */
function Linked({ post, id }: { post: Post; id: string }) {
  const { data, failure } = useRead(linkedComment(post.postId, id));
  const element = useShown(Boolean(data));
  const { addressOf } = useOrder(post);
  if (failure || data === null) return <p class="problem">{failure?.message ?? t("COMMENT_NOT_FOUND")}</p>;
  if (!data || data.gone) return null;
  return (
    <section ref={element} tabIndex={-1} class="panel linked" aria-label={t("linkedComment")}>
      <Content post={post} each={data} all={[data]} prefix="linked-" isNamed />
      <a href={`${addressOf()}#comments`}>{t("allComments")}</a>
    </section>
  );
}

type BranchProps = { post: Post; thread: Thread; all: Item[] };

function Branch({ post, thread: { item, replies }, all }: BranchProps) {
  const isNamed = useContext(Named) === item.id;
  const element = useShown(isNamed);
  if (!isComment(item)) return <Moved change={item} />;
  if (item.gone) return null;
  return (
    <li id={item.id} class={item.comment.is_internal ? "note" : undefined}>
      {isNamed ? (
        <section ref={element} tabIndex={-1} class="named" aria-label={t("linkedComment")}>
          <Content post={post} each={item} all={all} isNamed />
        </section>
      ) : (
        <Content post={post} each={item} all={all} />
      )}
      {replies.length > 0 && (
        <ol class="comments">
          {replies.map((thread) => (
            <Branch key={thread.item.id} post={post} thread={thread} all={all} />
          ))}
        </ol>
      )}
    </li>
  );
}

function Moved({ change: { from, to, created_at } }: { change: Schemas["StatusActivity"] }) {
  return (
    <li class="meta">
      <span class="badge team">{t("team")}</span> {t("status")} {from && <Badge of={from} />} →{" "}
      {to && <Badge of={to} isStatus />} <When at={created_at} />
    </li>
  );
}

type ContentProps = { post: Post; each: Activity; all: Item[]; prefix?: string; isNamed?: boolean };

function Content({ post, each, all, prefix = "", isNamed }: ContentProps) {
  const { postId } = post;
  const { author, comment, id } = each;
  const { addressOf } = useOrder(post);
  const [mode, setMode] = useState<"reply" | Editing>();
  const isOwn = useProfile().data?.userId === author.userId;
  const can = useCan();
  const isSuspended = useIsSuspended();
  const isClosed = useIsClosed(post);
  const report = useReport({ post, author, comment: { id, at: addressOf({ comment: id }) } });
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
    <div class="comment">
      {comment.is_internal && (
        <p class="note-mark">
          <Icon name="lock" /> {t("note")}
        </p>
      )}
      <By author={author} at={each.created_at} href={addressOf({ comment: id })}>
        {comment.is_edited && ` · ${t("edited")}`}
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
        <Markdown text={comment.body} />
      )}
      {mode === undefined && id !== PENDING && !isSuspended && (
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

/** The name under which a comment is kept until it is sent. */
function draftOf({ postId }: Post, parent: Activity | undefined): string {
  return `comment ${parent?.id ?? postId}`;
}

type WriteProps = { post: Post; parent?: Activity; close?: () => void; isAway?: boolean };

/** Writes a comment, or a reply to `parent`; `isAway`: that one stands away from the others. */
function Write({ post, parent, close, isAway = false }: WriteProps) {
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
      door={() => ({ does: "comment", title, draft, ...at })}
    >
      <Field
        name="body"
        label={t(parent ? "reply" : "comment")}
        rows={3}
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
