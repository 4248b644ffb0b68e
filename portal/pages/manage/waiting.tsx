import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, type Post } from "../../api.ts";
import { change, define } from "../../data.ts";
import { loadMarkdown } from "../../load-markdown.ts";
import { announce } from "../../notices.ts";
import { nextOf } from "../../paging.ts";
import { Action, Empty } from "../../parts/basics.tsx";
import { ActingSelect } from "../../parts/fields.tsx";
import { focusHeading, focusSoon } from "../../parts/focus.ts";
import { Pages } from "../../parts/pages.tsx";
import { PostRow } from "../../parts/post-row.tsx";
import { changePost, type PostList, type Summary, summaryOf } from "../../posts.ts";
import { useAllBoards } from "../../site.ts";
import { t } from "../../text.ts";
import { Respond } from "./respond.tsx";
import { teamText } from "./team-text.ts";

const ORDERS = ["newest", "oldest", "top"] as const;
type Order = (typeof ORDERS)[number];

/** The status of new posts. */
const OPEN = "open";

/** Open posts of visitors to which the team has not responded. */
const waiting = define("waiting", async (client, sort: Order, boardId: string, after?: string): Promise<PostList> => {
  const board = boardId && { boardId: [boardId] };
  const body = { first: 20, status: [OPEN], sort, ...board, ...(after && { after }) };
  const [{ posts, page_info }] = await Promise.all([answer(client.POST("/posts/get", { body })), loadMarkdown()]);
  const unanswered = posts.filter(({ response, author }) => !response && !author.role);
  return { posts: unanswered.map(summaryOf), ...nextOf(page_info) };
});

function addressOf(order: Order, boardId: string): string {
  const query = new URLSearchParams({ ...(order !== "newest" && { order }), ...(boardId && { board: boardId }) });
  return query.size > 0 ? `/manage/waiting?${query}` : "/manage/waiting";
}

export function WaitingPosts() {
  const { query, route } = useLocation();
  const boards = useAllBoards().data ?? [];
  const { board = "" } = query;
  const order = ORDERS.find((each) => each === query.order) ?? "newest";
  return (
    <>
      <div class="bar">
        {boards.length > 1 && (
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
      </div>
      <Pages
        key={`${order} ${board}`}
        query={(after) => waiting(order, board, after)}
        show={({ posts, after }) =>
          posts.length === 0 && !after ? (
            <Empty title={teamText("noWaiting")} hint={teamText("noWaitingHint")} />
          ) : (
            <ol class="rows whole triage">
              {posts.map((post, index) => (
                <PostRow key={post.postId} post={post}>
                  <Answer post={post} next={posts[index + 1] ?? posts[index - 1]} />
                </PostRow>
              ))}
            </ol>
          )
        }
      />
    </>
  );
}

/** The button that opens the form of a post. */
const idOf = (postId: string) => `answer-${postId}`;

/** Answers a post in place. Then it waits no longer, and the keyboard continues at the next one. */
function Answer({ post, next }: { post: Summary; next: Summary | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const { postId, title } = post;
  const close = () => {
    setOpen(false);
    focusSoon(() => document.getElementById(idOf(postId)));
  };
  const done = (changed: Post) => {
    changePost(postId, ({ voters }) => ({ ...changed, voters }));
    if (changed.status.id === OPEN && !changed.response) {
      announce(teamText("stillWaits", { title }));
      return;
    }
    change(waiting, (list) => ({ ...list, posts: list.posts.filter((each) => each.postId !== postId) }));
    announce(teamText("isAnswered", { title }));
    const nextButton = next && document.getElementById(idOf(next.postId));
    if (nextButton) nextButton.focus();
    else focusHeading();
  };
  return (
    <div class={isOpen ? "answer open" : "answer"}>
      {isOpen ? (
        <Respond post={post} done={done} close={close} />
      ) : (
        <Action act={() => setOpen(true)} id={idOf(postId)} label={teamText("answerPost")} of={title} kind="" />
      )}
    </div>
  );
}
