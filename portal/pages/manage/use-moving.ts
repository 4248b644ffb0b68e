import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { api, Failure } from "../../api.ts";
import { reloadAfter } from "../../deeds.ts";
import { announce } from "../../notices.ts";
import { focusSoon } from "../../parts/focus.ts";
import { titleId } from "../../parts/post-row.tsx";
import { posts, type Summary } from "../../posts.ts";
import { moveCard } from "./columns.ts";
import { patchPost } from "./patch-post.ts";
import { teamText } from "./team-text.ts";

type Roadmap = Summary["roadmap"];
type Placed = Pick<Summary, "postId" | "updatedAt" | "roadmap">;

/** Moves a post. Returns it as it is then: where another change was faster, that one's. */
async function sendMove(post: Summary, roadmap: Roadmap): Promise<Placed> {
  try {
    const { updatedAt } = await patchPost(post, { roadmapId: roadmap?.id ?? null });
    return { postId: post.postId, updatedAt, roadmap };
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.code !== "CHANGED_MEANWHILE") throw failure;
    return posts(post.postId).load(api);
  }
}

/** Whether the keyboard is at a card, or nowhere. Who has moved on meanwhile stays there. */
function hasKeyboard(card: Element | null | undefined): boolean {
  const { activeElement, body } = document;
  return activeElement === body || Boolean(card?.contains(activeElement));
}

/** Gives the keyboard to a card. If that is shown no more, the next one gets it. */
function goTo({ postId }: Placed): void {
  focusSoon(() => document.getElementById(titleId(postId)));
}

/** Says where a card is now, and offers to take that back. `before`: the card as it was. */
function sayMoved(now: Placed, before: Summary): void {
  const { roadmap } = now;
  const { title } = before;
  const words = roadmap ? teamText("movedTo", { title, name: roadmap.name }) : teamText("offRoadmap", { title });
  const moved = { ...before, ...now };
  announce(words, "done", { label: teamText("undo"), act: () => takeBack(moved, before.roadmap), stays: true });
}

/** Puts a card back to where it was, unless another change was faster. */
async function takeBack(moved: Summary, roadmap: Roadmap): Promise<void> {
  const now = await sendMove(moved, roadmap);
  moveCard(now, moved);
  goTo(now);
  if (now.roadmap?.id === roadmap?.id) sayMoved(now, moved);
  else announce(teamText("movedMeanwhile"), "problem");
}

type Moving = {
  move: (wanted: Roadmap) => Promise<void>;
  /** Why the card stays where it was, as long as its menu is open. */
  failure: Failure | undefined;
  forget: () => void;
};

/** Moves a card to another roadmap or to none, and says what came of it. `menu`: what unfolds in the card. */
export function useMoving(post: Summary, menu: RefObject<Element>): Moving {
  const { title } = post;
  const from = post.roadmap?.id ?? "";
  const [failure, setFailure] = useState<Failure>();
  const isMoving = useRef(false);
  /** The keyboard goes with the card. */
  const show = (now: Placed) => {
    const leads = now.roadmap?.id !== from && hasKeyboard(menu.current?.closest("li"));
    moveCard(now, post);
    if (leads) goTo(now);
  };
  // Beside what was pressed, if that is still there.
  const refuse = (refusal: Failure) =>
    menu.current?.firstChild ? setFailure(refusal) : announce(refusal.message, "problem");
  const say = (now: Placed, wanted: Roadmap) => {
    const { roadmap } = now;
    if (roadmap?.id === wanted?.id) return sayMoved(now, post);
    if (!roadmap) return announce(teamText("offRoadmap", { title }), "problem");
    const words = teamText("movedMeanwhile");
    if (roadmap.id === from) refuse(new Failure(412, "", words));
    else announce(words, "problem");
  };
  const move = async (wanted: Roadmap) => {
    if (isMoving.current) return;
    isMoving.current = true;
    setFailure(undefined);
    try {
      const now = await sendMove(post, wanted);
      show(now);
      say(now, wanted);
    } catch (refusal) {
      refuse(refusal as Failure);
      reloadAfter(refusal as Failure);
    }
    isMoving.current = false;
  };
  return { move, failure, forget: () => setFailure(undefined) };
}
