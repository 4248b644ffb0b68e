import { useRef, useState } from "preact/hooks";
import { announce } from "../../notices.ts";
import { Check } from "../../parts/fields.tsx";
import { boxesIn, checkedIn, follow } from "./boxes.ts";
import { groupsOf, isReading, wordsOf } from "./scope-words.ts";
import { teamText } from "./team-text.ts";

/** What is chosen by one press. */
const PRESETS = [
  { name: "readOnly", isWanted: isReading },
  { name: "everything", isWanted: () => true },
] as const;

/** A box for each scope, folded by the things that they are about. */
export function ScopeBoxes({ scopes }: { scopes: readonly string[] }) {
  const boxes = useRef<HTMLFieldSetElement>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const check = (isWanted: (scope: string) => boolean) => {
    for (const box of boxes.current ? boxesIn(boxes.current) : []) {
      box.checked = isWanted(box.name);
      // Its group counts it.
      box.dispatchEvent(new Event("change", { bubbles: true }));
    }
    // What the form says of a press without a box is over.
    boxes.current?.dispatchEvent(new Event("input", { bubbles: true }));
    announce(teamText("rightsChosen", { n: scopes.filter(isWanted).length }));
  };
  const note = ({ currentTarget }: { currentTarget: HTMLFieldSetElement }) =>
    setChosen(checkedIn(currentTarget).map(({ name }) => name));
  return (
    <fieldset ref={boxes} onChange={note}>
      <legend>{teamText("scopes")}</legend>
      <p class="actions">
        {PRESETS.map(({ name, isWanted }) => (
          <button
            key={name}
            type="button"
            aria-pressed={scopes.every((scope) => chosen.includes(scope) === isWanted(scope))}
            onClick={() => check(isWanted)}
          >
            {teamText(name)}
          </button>
        ))}
      </p>
      {[...groupsOf(scopes)].map(([thing, some]) => (
        <Group key={thing} thing={thing} scopes={some} />
      ))}
    </fieldset>
  );
}

/** The boxes of a thing, and one for all of them. */
function Group({ thing, scopes }: { thing: string; scopes: string[] }) {
  const [n, setChecked] = useState(0);
  return (
    <details class="group" onChange={({ currentTarget, target }) => setChecked(follow(currentTarget, target))}>
      <summary>
        {thing} <span class="quiet-text">{n > 0 && teamText("checkedOf", { n, all: scopes.length })}</span>
      </summary>
      <fieldset class="scopes">
        <legend class="unseen">{thing}</legend>
        {scopes.length > 1 && (
          <label class="check">
            <input type="checkbox" /> {teamText("allOf", { name: thing })}
          </label>
        )}
        {scopes.map((scope) => (
          <Check key={scope} name={scope} label={wordsOf(scope).deed} />
        ))}
      </fieldset>
    </details>
  );
}
