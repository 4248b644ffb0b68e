import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Values } from "../../parts/fields.tsx";
import { isSameName } from "./compare-names.ts";
import { teamText } from "./team-text.ts";

type Named = { id: string; name: string };

type Offered = { draft: Values; isOnNone: boolean; statuses: readonly Named[]; roadmaps: readonly Named[] };

/** Gives a field a value as if it was typed, so that the draft of its form has it. */
function put(field: HTMLSelectElement, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Selects the roadmap that has the name of the chosen status, while a post is on none and nobody has chosen one: to
 * readers a status and a roadmap of one name are the same.
 */
export function useNamesake({ draft, isOnNone, statuses, roadmaps }: Offered) {
  const namesakeOf = (statusId?: string) => {
    const status = statuses.find(({ id }) => id === statusId);
    return status && roadmaps.find(({ name }) => isSameName(name, status.name));
  };
  // Null: none. Undefined: the one that a draft has kept, which nobody has chosen either.
  const [lately, setSelected] = useState<Named | null>();
  const [isOwnChoice, setOwnChoice] = useState(false);
  const ofDraft = namesakeOf(draft.status);
  const kept = ofDraft?.id === draft.roadmapId ? ofDraft : null;
  const selected = lately === undefined ? kept : lately;
  const follows = isOnNone && !isOwnChoice;
  const follow = ({ currentTarget: { value, form } }: JSX.TargetedEvent<HTMLSelectElement>) => {
    const field = form?.elements.namedItem("roadmapId");
    if (!follows || !(field instanceof HTMLSelectElement)) return;
    // A draft has another one.
    if (field.value !== (selected?.id ?? "")) return;
    const namesake = namesakeOf(value) ?? null;
    put(field, namesake?.id ?? "");
    setSelected(namesake);
  };
  return {
    follow,
    leave: () => setOwnChoice(true),
    /** Begins anew, once the form is saved. */
    forget: () => {
      setSelected(null);
      setOwnChoice(false);
    },
    said: follows && selected && teamText("roadmapSelected", { name: selected.name }),
  };
}
