import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Check } from "../../parts/fields.tsx";
import { groupsOf, wordsOf } from "./scope-words.ts";
import { teamText } from "./team-text.ts";

/** A box for each scope, folded by the things that they are about. */
export function ScopeBoxes({ scopes }: { scopes: readonly string[] }) {
  return (
    <fieldset>
      <legend>{teamText("scopes")}</legend>
      {[...groupsOf(scopes)].map(([thing, some]) => (
        <Group key={thing} thing={thing} scopes={some} />
      ))}
    </fieldset>
  );
}

function boxesIn(group: HTMLElement): HTMLInputElement[] {
  return [...group.querySelectorAll<HTMLInputElement>("input[name]")];
}

/** The boxes of a thing, and one for all of them. */
function Group({ thing, scopes }: { thing: string; scopes: string[] }) {
  const [n, setChecked] = useState(0);
  const change = ({ currentTarget: group, target }: JSX.TargetedEvent<HTMLDetailsElement>) => {
    const all = group.querySelector<HTMLInputElement>("input:not([name])");
    const boxes = boxesIn(group);
    if (all && target === all) for (const box of boxes) box.checked = all.checked;
    const checked = boxes.filter((box) => box.checked).length;
    if (all) all.checked = checked === boxes.length;
    setChecked(checked);
  };
  return (
    <details class="group" onChange={change}>
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
