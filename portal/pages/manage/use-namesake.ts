import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { teamText } from "./team-text.ts";

type Named = { id: string; name: string };

function isSameName(a: Named, b: Named): boolean {
  return a.name.trim().toLowerCase() === b.name.trim().toLowerCase();
}

/** Gives a field a value as if it was typed, so that the draft of its form has it. */
function put(field: HTMLSelectElement, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Selects the roadmap that has the name of the chosen status, while a post is on none and nobody has chosen one: to
 * readers a status and a roadmap of one name are the same.
 */
export function useNamesake(isOnNone: boolean, statuses: readonly Named[], roadmaps: readonly Named[]) {
  const [selected, setSelected] = useState<Named>();
  const [isOwnChoice, setOwnChoice] = useState(false);
  const follows = isOnNone && !isOwnChoice;
  const follow = ({ currentTarget: { value, form } }: JSX.TargetedEvent<HTMLSelectElement>) => {
    const field = form?.elements.namedItem("roadmapId");
    if (!follows || !(field instanceof HTMLSelectElement)) return;
    // A draft of before has chosen one.
    if (field.value !== (selected?.id ?? "")) return;
    const status = statuses.find(({ id }) => id === value);
    const namesake = status && roadmaps.find((each) => isSameName(each, status));
    put(field, namesake?.id ?? "");
    setSelected(namesake);
  };
  return {
    follow,
    leave: () => setOwnChoice(true),
    said: follows && selected && teamText("roadmapSelected", { name: selected.name }),
  };
}
