import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

const COLUMN = ".columns > section";

function columnAt({ target }: Event): Element | null {
  return target instanceof Element ? target.closest(COLUMN) : null;
}

/**
 * Lets the card around an element be dragged to another column of the roadmap, which is marked while the card is over
 * it. `drop` gets the id of the roadmap.
 */
export function useDragging(inCard: RefObject<Element>, drop: (roadmapId: string) => void): void {
  const dropNow = useRef(drop);
  dropNow.current = drop;
  useEffect(() => {
    const card = inCard.current?.closest("li");
    if (!card) return;
    let marked: Element | undefined;
    const mark = (column?: Element) => {
      marked?.removeAttribute("data-target");
      marked = column;
      column?.setAttribute("data-target", "true");
    };
    const dragOver = (event: DragEvent) => {
      const column = columnAt(event);
      mark(column && !column.contains(card) ? column : undefined);
      if (marked) event.preventDefault();
    };
    const end = () => {
      mark();
      removeEventListener("dragover", dragOver);
      removeEventListener("drop", put);
    };
    const put = (event: DragEvent) => {
      const roadmapId = marked?.getAttribute("aria-labelledby");
      end();
      if (!roadmapId) return;
      event.preventDefault();
      dropNow.current(roadmapId);
    };
    const begin = ({ dataTransfer }: DragEvent) => {
      // Firefox drags nothing without data.
      dataTransfer?.setData("text/plain", "");
      addEventListener("dragover", dragOver);
      addEventListener("drop", put);
    };
    card.draggable = true;
    // A press on the title drags the card, and not its address.
    for (const link of card.querySelectorAll("a")) link.draggable = false;
    card.addEventListener("dragstart", begin);
    card.addEventListener("dragend", end);
    return () => {
      end();
      card.removeEventListener("dragstart", begin);
      card.removeEventListener("dragend", end);
    };
  }, []);
}
