import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Post } from "../../api.ts";
import { useRead } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Action, Empty, Skeleton } from "../../parts/basics.tsx";
import { ActingSelect } from "../../parts/fields.tsx";
import { focusHeading, focusSoon } from "../../parts/focus.ts";
import { useAsLastList } from "../../parts/last-list.ts";
import { Markdown } from "../../parts/markdown.tsx";
import { Pages } from "../../parts/pages.tsx";
import { PostRow } from "../../parts/post-row.tsx";
import { changePost, type PostList, posts, type Summary } from "../../posts.ts";
import { useAllBoards, useRoadmaps } from "../../site.ts";
import { t } from "../../text.ts";
import { withQuery } from "../../with-query.ts";
import { showSection } from "./in-sight.ts";
import { isBegun, Respond } from "./respond.tsx";
import { type Shown, useAsShown, useShown } from "./shown-pages.ts";
import { teamText } from "./team-text.ts";
import { amountOf, OPEN, ORDERS, type Order, takeOut, unanswered, useChosen, useUnanswered } from "./unanswered.ts";

function addressOf(order: Order, boardId: string): string {
  return withQuery("/manage/waiting", { order: order === "newest" ? undefined : order, board: boardId });
}

/**
 * Whether there are posts to answer, or were when their order or board was chosen; undefined while that is not known.
 * What cannot be read may be there.
 */
export function useWhetherPostsWait(): boolean | undefined {
  const { order, board, isChosen } = useChosen();
  const { data: first, failure } = useRead(unanswered(order, board, undefined));
  if (isChosen) return true;
  if (!first) return failure && true;
  return first.posts.length > 0 || first.after !== undefined;
}

export function WaitingPosts() {
  useAsLastList("waiting");
  const { route } = useLocation();
  const { data: boards, failure } = useAllBoards();
  // Read before a form is open: there a field that came later would move the ones below it.
  useRoadmaps();
  const { order, board, isChosen } = useChosen();
  const { data: first } = useRead(unanswered(order, board, undefined));
  const shown = useShown<PostList>();
  // Nothing to order, unless that was chosen, and no board to leave.
  const isNothing = first?.posts.length === 0 && !first.after && !isChosen;
  // A choice that came later would move the rows below it.
  if (!boards && !failure) return <Skeleton />;
  return (
    <>
      {!isNothing && (
        <div class="bar">
          {boards && boards.length > 1 && (
            <ActingSelect
              label={t("board")}
              value={board}
              options={boards}
              none={t("allBoards")}
              act={(chosen) => route(addressOf(order, chosen))}
            />
          )}
          <ActingSelect
            label={t("order")}
            value={order}
            options={ORDERS.map((id) => ({ id, name: teamText(`order_${id}`) }))}
            act={(chosen) => route(addressOf(chosen as Order, board))}
          />
          <Total shown={shown} board={board} />
        </div>
      )}
      <Pages
        key={`${order} ${board}`}
        query={(after) => unanswered(order, board, after)}
        show={(list, isFirst) => <Rows list={list} isFirst={isFirst} shown={shown} />}
      />
    </>
  );
}

type TotalProps = { shown: Shown<PostList>; board: string };

/** How many posts wait: with the last page, the list itself has them all. */
function Total({ shown, board }: TotalProps) {
  const counted = useUnanswered(board);
  const lists = [...shown.value.values()];
  const isAll = lists.some(({ after }) => !after);
  const amount = isAll ? amountOf({ posts: lists.flatMap(({ posts }) => posts) }) : counted;
  if (!amount || amount.n === 0) return null;
  const { n, hasMore } = amount;
  return <span class="quiet-text">{hasMore ? teamText("postsAtLeast", { n }) : t("postsCount", { n })}</span>;
}

/** The rows of a page that is read again: an open one stays where it was, though its post waits no longer. */
export function rowsOf(posts: Summary[], before: Summary[], openIds: ReadonlySet<string>): Summary[] {
  const rows = [...posts];
  for (const [index, post] of before.entries()) {
    const isThere = posts.some(({ postId }) => postId === post.postId);
    if (!isThere && openIds.has(post.postId)) rows.splice(index, 0, post);
  }
  return rows;
}

/** The posts whose answers the tab keeps as drafts: they are open when a person comes back. */
function begunOf(posts: Summary[]): string[] {
  return posts.map(({ postId }) => postId).filter(isBegun);
}

type RowsProps = { list: PostList; isFirst: boolean; shown: Shown<PostList> };

function Rows({ list, isFirst, shown }: RowsProps) {
  const { posts, after } = list;
  useAsShown(shown, list);
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(() => new Set(begunOf(posts)));
  const before = useRef(posts);
  const rows = rowsOf(posts, before.current, openIds);
  before.current = rows;
  const setOpen = (postId: string, isOpen: boolean) => {
    const others = [...openIds].filter((each) => each !== postId);
    setOpenIds(new Set(isOpen ? [...others, postId] : others));
  };
  if (rows.length === 0 && isFirst && !after)
    return <Empty title={teamText("noWaiting")} hint={teamText("noWaitingHint")} />;
  return (
    <ol class="rows whole triage">
      {rows.map((post, index) => (
        <PostRow key={post.postId} post={post}>
          <Answer
            post={post}
            waits={posts.includes(post)}
            next={rows[index + 1] ?? rows[index - 1]}
            isOpen={openIds.has(post.postId)}
            setOpen={(isOpen) => setOpen(post.postId, isOpen)}
          />
        </PostRow>
      ))}
    </ol>
  );
}

const idOf = (postId: string) => `answer-${postId}`;

/** The button that opens the form of a post, or the field in it. */
function answerTo(postId: string): HTMLElement | null {
  return document.getElementById(idOf(postId))?.querySelector(":scope > button, textarea") ?? null;
}

/** Gives the keyboard to the next post, and shows that one whole; without one, to the heading. */
function goOnAt(next: Summary | undefined): void {
  const place = next && answerTo(next.postId);
  if (!place) {
    focusHeading();
    return;
  }
  place.focus();
  showSection(place.closest("li"));
}

type AnswerProps = {
  post: Summary;
  /** Whether nobody has answered it yet. */
  waits: boolean;
  next: Summary | undefined;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
};

/** Answers a post in place. Then it waits no longer, and the keyboard continues at the next one. */
function Answer({ post, waits, next, isOpen, setOpen }: AnswerProps) {
  const { postId, title } = post;
  const leave = () => {
    setOpen(false);
    takeOut(postId);
    // The form is gone then: it may be taller than the window, and stands above the next post.
    requestAnimationFrame(() => goOnAt(next));
  };
  const close = () => {
    if (!waits) return leave();
    setOpen(false);
    focusSoon(() => answerTo(postId));
  };
  const done = (changed: Post) => {
    changePost(postId, ({ voters }) => ({ ...changed, voters }));
    if (changed.status.id === OPEN && !changed.response) {
      announce(teamText("stillWaits", { title }));
      return;
    }
    leave();
    announce(teamText("isAnswered", { title }));
  };
  return (
    <div id={idOf(postId)} class={isOpen ? "answer open" : "answer"}>
      {isOpen ? (
        <AnswerForm post={post} done={done} close={close} leave={leave} />
      ) : (
        <Action act={() => setOpen(true)} label={teamText("answerPost")} of={title} kind="" />
      )}
    </div>
  );
}

type FormProps = { post: Summary; done: (changed: Post) => void; close: () => void; leave: () => void };

/**
 * The whole text of a post, and the form for it, as it is now, also when another person has changed it since the list
 * was read.
 */
function AnswerForm({ post, done, close, leave }: FormProps) {
  const { data, failure } = useRead(posts(post.postId));
  const isGone = failure?.code === "POST_NOT_FOUND";
  useEffect(() => {
    if (isGone) leave();
  }, [isGone]);
  // A post that was merged is read as the one in which it continues.
  const isRead = data?.postId === post.postId;
  const text = isRead && data.contentMarkdown;
  // The text comes above what has the keyboard.
  useEffect(() => {
    if (text) document.querySelector(".answer :focus")?.scrollIntoView({ block: "nearest" });
  }, [!text]);
  return (
    <>
      {text && <Markdown text={text} above={2} />}
      <Respond post={isRead ? data : post} done={done} close={close} />
    </>
  );
}
