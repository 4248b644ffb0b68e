import { answer, api, type Post } from "../../api.ts";
import { reloadShown } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Check, Choice, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { accountOf, changePost, voteForOther } from "../../posts.ts";
import { useAllBoards, useCan, useRoadmaps, useSite, useStatuses } from "../../site.ts";
import { t } from "../../text.ts";
import { teamText } from "./team-text.ts";

/** What moderators do with a post: its status with the official response, its place, votes of others. */
export function Moderation({ post }: { post: Post }) {
  const statuses = useStatuses().data?.statuses;
  const boards = useAllBoards().data;
  const roadmaps = useRoadmaps().data;
  const mayVote = useCan()("vote:assign");
  const { sendsMail } = useSite();
  // A choice that lacks its options would save "None".
  if (!statuses || !boards || !roadmaps) return null;
  const possible = statuses.filter(({ id, archived }) => !archived || id === post.status.id);
  const { postId } = post;
  const given = post.response?.text ?? "";
  const header = { "If-Match": `"${post.updatedAt}"` };
  const show = (changed: object) => {
    changePost(postId, ({ voters }) => ({ ...changed, voters }));
    announce(t("saved"));
  };
  const respond = async (values: Values) => {
    const { status = "", text = "" } = values;
    const body = { status, notify: "notify" in values, ...(text !== given && { text }) };
    show((await answer(api.PUT("/posts/{postId}/status", { params: { path: { postId }, header }, body }))).post);
    // The change is among the comments.
    reloadShown();
  };
  const place = async ({ boardId = "", roadmapId = "" }) => {
    const body = { id: postId, boardId: boardId || null, roadmapId: roadmapId || null };
    const { updatedAt } = (await answer(api.PATCH("/posts", { params: { header }, body }))).post;
    const board = boards.find((each) => each.boardId === boardId) ?? null;
    show({ updatedAt, board, roadmap: roadmaps.find(({ id }) => id === roadmapId) ?? null });
  };
  const vote = async ({ email = "" }, key: string) => {
    const { userId, name } = await accountOf(email);
    await voteForOther(postId, userId, key);
    // If there is room, the vote is also among the first ones.
    reloadShown();
    announce(teamText("voteAdded", { name }));
  };
  return (
    <>
      <details class="panel">
        <summary>{teamText("respond")}</summary>
        <Form send={respond} button={t("save")} label={teamText("respond")} draft={`respond ${postId}`}>
          <Choice name="status" label={t("status")} value={post.status.id} options={possible} />
          <Field name="text" label={t("response")} value={given} rows={4} isMarkdown />
          {sendsMail && <Check name="notify" label={teamText("notify")} on />}
        </Form>
      </details>
      <details class="panel">
        <summary>{teamText("setPlacement")}</summary>
        <Form send={place} button={t("save")} label={teamText("setPlacement")}>
          <Choice name="boardId" label={t("board")} value={post.board?.boardId} options={boards} none={t("none")} />
          <Choice name="roadmapId" label={t("roadmap")} value={post.roadmap?.id} options={roadmaps} none={t("none")} />
        </Form>
      </details>
      {mayVote && (
        <details class="panel">
          <summary>{teamText("voteFor")}</summary>
          <Form send={vote} button={teamText("addVote")} label={teamText("voteFor")}>
            <Field name="email" type="email" label={t("email")} hint={t("onBehalfHint")} required />
          </Form>
        </details>
      )}
    </>
  );
}
