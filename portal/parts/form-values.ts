import { isFilledEarly } from "../early.ts";
import type { Values } from "./fields.tsx";

/** The name of a field that only scripts fill in (decoy.tsx): none that browsers fill in by themselves. */
export const DECOY = "homepage";

export const FIELDS = "input, select, textarea";

/** What was typed into a form. */
export function valuesOf(form: HTMLFormElement): Values {
  const typed = [...new FormData(form)].filter(([name, value]) => value !== "" && name !== DECOY);
  return Object.fromEntries(typed) as Values;
}

/** Types into a form what was typed before, but where a person was faster than the page's script. */
export function fill(form: HTMLFormElement, values: Values): void {
  for (const box of form.querySelectorAll<HTMLInputElement>("[type=checkbox]"))
    if (!isFilledEarly(box)) {
      box.checked = box.name in values;
      tell(box);
    }
  for (const [name, value] of Object.entries(values)) {
    const field = form.elements.namedItem(name);
    if (!(field instanceof HTMLElement && "value" in field)) continue;
    const isBox = field instanceof HTMLInputElement && field.type === "checkbox";
    if (isBox || isFilledEarly(field)) continue;
    field.value = value;
    tell(field);
  }
}

/** Tells the page of a value that no person has typed. */
function tell(field: HTMLElement): void {
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
