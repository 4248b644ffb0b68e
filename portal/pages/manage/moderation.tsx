import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Post } from "../../api.ts";
import { reloadShown } from "../../data.ts";
import { voteForOther } from "../../first-vote.ts";
import { announce } from "../../notices.ts";
import { Action } from "../../parts/basics.tsx";
import { changedIn } from "../../parts/changed-in.ts";
import { Choice, type Values } from "../../parts/fields.tsx";
import { focusHeading } from "../../parts/focus.ts";
import { Form } from "../../parts/form.tsx";
import { changePost } from "../../posts.ts";
import { useAllBoards, useCan, useRoadmaps, useStatuses } from "../../site.ts";
import { nameOf, t } from "../../text.ts";
import { AllVoters } from "./all-voters.tsx";
import { ChooseTags } from "./choose-tags.tsx";
import { keepInSight, showSection } from "./in-sight.ts";
import { PersonFields, personOf } from "./known-people.tsx";
import { Merge } from "./merge.tsx";
import { awaitsVotes, MergedPosts } from "./merged-posts.tsx";
import { patchPost } from "./patch-post.ts";
import { personAddress } from "./person-address.ts";
import { Respond } from "./respond.tsx";
import { teamText } from "./team-text.ts";
import { useIsWide } from "./use-is-wide.ts";

/** All that the team can do with a post, and the panel of the answer in it. */
const TOOLS = "for-team";
const ANSWER = "answer";

/**
 * The boards and roadmaps to choose from, once the statuses are there too: a choice that lacks its options would save
 * "None".
 */
function useChoices() {
  const boards = useAllBoards().data;
  const roadmaps = useRoadmaps().data;
  const statuses = useStatuses().data;
  return boards && roadmaps && statuses && { boards, roadmaps };
}

function openAnswer(): void {
  const section = document.getElementById(ANSWER);
  for (const each of [document.getElementById(TOOLS), section]) each?.setAttribute("open", "");
  section?.querySelector("textarea")?.focus();
  showSection(section);
}

/** Leads to the answer of the team, which a long post, or a phone, has far below: once that can be given. */
export function ToAnswer() {
  const isThere = useChoices() !== undefined;
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    if (!isThere || !isWanted) return;
    openAnswer();
    setWanted(false);
  }, [isThere, isWanted]);
  return <Action act={() => setWanted(true)} label={teamText("answerPost")} />;
}

/** Leads from an answer that was saved to the response, as visitors see it. Who has moved on meanwhile stays there. */
function leaveAnswer(): void {
  const section = document.getElementById(ANSWER);
  const isHere = section?.contains(document.activeElement);
  section?.removeAttribute("open");
  if (!isHere) return;
  requestAnimationFrame(() => {
    const response = document.querySelector("aside.response");
    if (response) focusHeading(response);
    else section?.querySelector("summary")?.focus();
  });
}

/** As the answer to a waiting post closes. */
function closeAtEscape({ key, isComposing, currentTarget }: JSX.TargetedKeyboardEvent<HTMLDetailsElement>): void {
  if (key !== "Escape" || isComposing) return;
  currentTarget.open = false;
  currentTarget.querySelector("summary")?.focus();
}

/** What the form for a comment says of a note: its box, and while that is checked the form itself. */
export function wordsOfNote() {
  return {
    choice: teamText("asNote"),
    label: teamText("noteOfTeam"),
    button: teamText("addNote"),
    saved: teamText("noted"),
  };
}

/** What an answer of the team has changed, in words. */
function answerText(before: Post, { title, response, status, roadmap }: Post): string {
  const told: string[] = [];
  if (response?.text !== before.response?.text) told.push(teamText(response ? "responsePublished" : "responseRemoved"));
  if (status.id !== before.status.id) told.push(teamText("statusNow", { name: status.name }));
  if (roadmap?.id !== before.roadmap?.id)
    told.push(roadmap ? teamText("movedTo", { title, name: roadmap.name }) : teamText("offRoadmap", { title }));
  return told.join(" ") || t("saved");
}

type PlaceProps = { post: Post; choices: NonNullable<ReturnType<typeof useChoices>>; done: (changed: object) => void };

/** The board and the roadmap of a post. */
function Place({ post, choices: { boards, roadmaps }, done }: PlaceProps) {
  const none = teamText("none");
  const send = async ({ boardId = "", roadmapId = "" }) => {
    const shown = { boardId: post.board?.boardId, roadmapId: post.roadmap?.id };
    const changed = changedIn(shown, { boardId: boardId || null, roadmapId: roadmapId || null });
    const { updatedAt } = await patchPost(post, changed);
    const board = boards.find((each) => each.boardId === boardId) ?? null;
    done({ updatedAt, board, roadmap: roadmaps.find(({ id }) => id === roadmapId) ?? null });
  };
  return (
    <Form send={send} button={t("save")} label={teamText("setPlacement")}>
      <Choice name="boardId" label={t("board")} value={post.board?.boardId} options={boards} none={none} />
      <Choice name="roadmapId" label={t("roadmap")} value={post.roadmap?.id} options={roadmaps} none={none} />
    </Form>
  );
}

function VoteForOther({ post: { postId } }: { post: Post }) {
  const send = async ({ email = "", emailName }: Values, key: string) => {
    const { userId, name } = await personOf("email", email, emailName);
    await voteForOther(postId, userId, key);
    // If there is room, the vote is also among the first ones.
    reloadShown();
    announce(teamText("voteAdded", { name }));
  };
  return (
    <Form send={send} button={teamText("addVote")} label={teamText("voteFor")}>
      <PersonFields name="email" label={teamText("nameOrAddress")} required />
    </Form>
  );
}

/** What moderators do with a post: its status with the official response, its place, tags, votes, merges. */
export function Moderation({ post }: { post: Post }) {
  const choices = useChoices();
  const { author } = post;
  const mayVote = useCan()("vote:assign");
  // On a phone what people say comes first. What is open stays open on a screen that is turned.
  const isWide = useIsWide();
  const [isUnfolded] = useState(isWide || awaitsVotes(post.postId));
  const show = (changed: object, told: string) => {
    changePost(post.postId, ({ voters }) => ({ ...changed, voters }));
    announce(told);
  };
  const responded = (changed: Post) => {
    show(changed, answerText(post, changed));
    leaveAnswer();
    // The change is among the comments.
    reloadShown();
  };
  const turn = async (switched: Parameters<typeof patchPost>[1], told: string) => {
    const { updatedAt, isLocked, isPinned } = await patchPost(post, switched);
    show({ updatedAt, isLocked, isPinned }, told);
  };
  const lock = () => turn({ isLocked: !post.isLocked }, teamText(post.isLocked ? "unlocked" : "locked"));
  const pin = () => turn({ isPinned: !post.isPinned }, teamText(post.isPinned ? "unpinned" : "pinned"));
  return (
    <details id={TOOLS} ref={keepInSight} class="panel for-team" open={isUnfolded}>
      <summary>{teamText("forTeam")}</summary>
      <p class="actions">
        <Action act={lock} label={teamText(post.isLocked ? "unlock" : "lock")} kind="" />
        <Action act={pin} label={teamText(post.isPinned ? "unpin" : "pin")} kind="" />
      </p>
      <details id={ANSWER} class="panel" onKeyDown={closeAtEscape}>
        <summary>{teamText("respond")}</summary>
        <Respond post={post} done={responded} />
      </details>
      <details class="panel">
        <summary>{teamText("setPlacement")}</summary>
        {choices && <Place post={post} choices={choices} done={(changed) => show(changed, teamText("placed"))} />}
      </details>
      <details class="panel">
        <summary>{teamText("setTags")}</summary>
        <ChooseTags post={post} done={(changed) => show(changed, teamText("tagged"))} />
      </details>
      {mayVote && (
        <details class="panel">
          <summary>{teamText("voteFor")}</summary>
          <VoteForOther post={post} />
        </details>
      )}
      {post.voters.votesCount > 0 && <AllVoters post={post} />}
      <Merge post={post} />
      <MergedPosts post={post} />
      {author.username !== "deleted" && (
        <p class="last">
          <a href={personAddress(author.userId)}>{teamText("postsBy", { name: nameOf(author) })}</a>
        </p>
      )}
    </details>
  );
}
