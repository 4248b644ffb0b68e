import { useEffect, useRef, useState } from "preact/hooks";
import { api, Failure } from "../../api.ts";
import { reloadAfter } from "../../deeds.ts";
import { announce } from "../../notices.ts";
import { Action, Problem } from "../../parts/basics.tsx";
import { useElementId } from "../../parts/element-id.ts";
import { focusSoon } from "../../parts/focus.ts";
import { titleId } from "../../parts/post-row.tsx";
import { posts, type Summary } from "../../posts.ts";
import { useRoadmaps } from "../../site.ts";
import { moveCard } from "./columns.ts";
import { patchPost } from "./patch-post.ts";
import { teamText } from "./team-text.ts";
import { useEscape } from "./use-escape.ts";

type Props = { post: Summary };

/** Moves a card of the roadmap to another column, or off the roadmap: a button, and the ways that it unfolds. */
export function MoveCard({ post }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useEscape(isOpen, () => setOpen(false));
  const id = useElementId();
  useEffect(() => {
    if (!isOpen) return;
    // Not before the press has done its work: what folds moves the cards below it.
    const press = ({ target }: Event) => {
      if (!button.current?.closest("li")?.contains(target as Node)) setOpen(false);
    };
    addEventListener("click", press);
    return () => removeEventListener("click", press);
  }, [isOpen]);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="quiet move"
        aria-label={teamText("movePost", { title: post.title })}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      <div id={id} class="moves">
        {isOpen && <Moves post={post} />}
      </div>
    </>
  );
}

/** Whether the keyboard is at a card, or nowhere. Who has moved on meanwhile stays there. */
function hasKeyboard(card: Element | null | undefined): boolean {
  const { activeElement, body } = document;
  return activeElement === body || Boolean(card?.contains(activeElement));
}

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

/** The other roadmaps, and none. Why a card stays where it was is said below them. */
function Moves({ post }: Props) {
  const { postId, title } = post;
  const from = post.roadmap?.id ?? "";
  const others = useRoadmaps().data?.filter(({ id }) => id !== from) ?? [];
  const [failure, setFailure] = useState<Failure>();
  const isMoving = useRef(false);
  const place = useRef<HTMLParagraphElement>(null);
  /** The keyboard goes with the card. If that is shown no more, the next one gets it. */
  const show = (now: Placed) => {
    const leads = now.roadmap?.id !== from && hasKeyboard(place.current?.closest("li"));
    moveCard(now, from);
    if (leads) focusSoon(() => document.getElementById(titleId(postId)));
  };
  // Who has folded the card meanwhile would not see it there.
  const refuse = (refusal: Failure) => (place.current ? setFailure(refusal) : announce(refusal.message, "problem"));
  const say = ({ roadmap }: Placed, wanted: Roadmap) => {
    const isDone = roadmap?.id === wanted?.id;
    if (!roadmap) return announce(teamText("offRoadmap", { title }), isDone ? "done" : "problem");
    if (isDone) return announce(teamText("movedTo", { name: roadmap.name }));
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
  return (
    <>
      <p ref={place} class="actions">
        {others.map((each) => (
          <Action key={each.id} act={() => move(each)} label={teamText("moveTo", { name: each.name })} of={title} />
        ))}
        <Action act={() => move(null)} label={teamText("takeOff")} of={title} />
      </p>
      {failure && <Problem failure={failure} />}
    </>
  );
}
