import { useRef, useState } from "preact/hooks";
import { attempt, carryOut } from "../../deeds.ts";
import { showSection } from "./in-sight.ts";
import { teamText } from "./team-text.ts";

type Item = { id: string; name: string };

/** What a row has to be given so that others can be dropped on it. */
type Target = { "data-target": boolean; onDragOver: (event: DragEvent) => void; onDrop: (event: DragEvent) => void };

type Reordering<T> = {
  /** Gives an item the place of the one at an index. `focus` begins the id of the button that keeps the keyboard. */
  put: (item: T, index: number, focus?: string) => void;
  /** An order is on its way: the next one would begin at an older one. */
  isBusy: boolean;
  drag: (item: T) => { onDragStart: () => void; onDragEnd: () => void };
  target: (item: T, index: number) => Target;
};

/** Lets the owner order a list, one move at a time: by buttons, or by dragging a row of it onto another. */
export function useReordering<T extends Item>(
  items: T[],
  move: (item: T, place: T, next: T | undefined) => Promise<unknown>,
  again: () => Promise<void>,
): Reordering<T> {
  const [isBusy, setBusy] = useState(false);
  // Also before the page shows it.
  const isMoving = useRef(false);
  const dragged = useRef<T>();
  const [targetId, setTarget] = useState<string>();
  const carry = async (item: T, place: T, index: number) => {
    isMoving.current = true;
    setBusy(true);
    const next = items.filter(({ id }) => id !== item.id)[index];
    await attempt(carryOut(move(item, place, next), again, teamText("moved", { name: item.name, n: index + 1 })));
    isMoving.current = false;
    setBusy(false);
  };
  const put = (item: T, index: number, focus?: string) => {
    const place = items[index];
    if (isMoving.current || !place || item.id === place.id) return;
    void carry(item, place, index).then(() =>
      // The row has moved away from under the keyboard, perhaps past an open one that is taller than the window.
      requestAnimationFrame(() => {
        const button = focus && document.getElementById(`${focus} ${item.id}`);
        if (!button) return;
        button.focus();
        showSection(button.closest("li"));
      }),
    );
  };
  const end = () => {
    dragged.current = undefined;
    setTarget(undefined);
  };
  return {
    put,
    isBusy,
    drag: (item) => ({
      onDragStart: () => {
        dragged.current = item;
      },
      onDragEnd: end,
    }),
    target: (item, index) => ({
      "data-target": targetId === item.id,
      onDragOver: (event) => {
        // A file, or a row of another list, is not put here.
        if (!dragged.current) return;
        event.preventDefault();
        setTarget(item.id);
      },
      onDrop: (event) => {
        if (!dragged.current) return;
        event.preventDefault();
        put(dragged.current, index);
        end();
      },
    }),
  };
}
