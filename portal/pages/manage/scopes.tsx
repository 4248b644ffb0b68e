import type { JSX } from "preact";
import { Check } from "../../parts/fields.tsx";
import { groupsOf, wordsOf } from "./scope-words.ts";
import { teamText } from "./team-text.ts";

/** A box for each scope, and one for all of a thing. */
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

function Group({ thing, scopes }: { thing: string; scopes: string[] }) {
  const change = ({ currentTarget: group, target }: JSX.TargetedEvent<HTMLFieldSetElement>) => {
    const all = group.querySelector<HTMLInputElement>("input:not([name])");
    if (!all) return;
    if (target === all) for (const box of boxesIn(group)) box.checked = all.checked;
    else all.checked = boxesIn(group).every(({ checked }) => checked);
  };
  return (
    <fieldset class="scopes" onChange={change}>
      <legend>{thing}</legend>
      {scopes.length > 1 && (
        <label class="check">
          <input type="checkbox" /> {teamText("allOf", { name: thing })}
        </label>
      )}
      {scopes.map((scope) => (
        <Check key={scope} name={scope} label={wordsOf(scope).deed} />
      ))}
    </fieldset>
  );
}
