import { useEffect, useRef, useState } from "preact/hooks";
import { Action, Problem } from "../../parts/basics.tsx";
import { useElementId } from "../../parts/element-id.ts";
import type { Summary } from "../../posts.ts";
import { useRoadmaps } from "../../site.ts";
import { teamText } from "./team-text.ts";
import { useDragging } from "./use-dragging.ts";
import { useFloating } from "./use-floating.ts";
import { useMenu } from "./use-menu.ts";
import { useMoving } from "./use-moving.ts";

/** Moves a card of the roadmap to another column, or off the roadmap: by a menu, or by dragging it to a column. */
export function MoveCard({ post }: { post: Summary }) {
  const { title } = post;
  const [isOpen, setOpen] = useState(false);
  const button = useMenu(isOpen, setOpen);
  const menu = useRef<HTMLDivElement>(null);
  const id = useElementId();
  const others = useRoadmaps().data?.filter((each) => each.id !== post.roadmap?.id) ?? [];
  const { move, failure, forget } = useMoving(post, menu);
  useDragging(menu, (roadmapId) => {
    const wanted = others.find((each) => each.id === roadmapId);
    if (wanted) void move(wanted);
  });
  useFloating(isOpen, button, menu);
  useEffect(() => {
    if (!isOpen) return;
    // Not before the press has done its work: without popovers, what folds moves the cards below it.
    const press = ({ target }: Event) => {
      if (!button.current?.closest("li")?.contains(target as Node)) setOpen(false);
    };
    addEventListener("click", press);
    return () => {
      removeEventListener("click", press);
      forget();
    };
  }, [isOpen]);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="quiet move"
        aria-label={teamText("movePost", { title })}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      <div ref={menu} id={id} class="moves" popover="manual">
        {isOpen && (
          <div class="card menu">
            {others.map((each) => (
              <Action key={each.id} act={() => move(each)} label={teamText("moveTo", { name: each.name })} of={title} />
            ))}
            <Action act={() => move(null)} label={teamText("takeOff")} of={title} />
            {failure && <Problem failure={failure} />}
          </div>
        )}
      </div>
    </>
  );
}
