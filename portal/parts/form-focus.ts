import type { RefObject } from "preact";
import { FIELDS } from "./form-values.ts";

const TYPED = "input, textarea, .actions :last-child";

/** Continues in a form that was sent: at the field for the next one, or at the button if it shows what was saved. */
function focusNextIn(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLInputElement>(FIELDS);
  const button = form.querySelector<HTMLElement>(".actions [type=submit]");
  if (field?.value === "" && field.matches(TYPED)) field.focus();
  else button?.focus();
  // A button may be hidden until there is something to save.
  if (!form.contains(document.activeElement)) field?.focus();
}

/** Where the keyboard goes in a form. One that has moved to another part of the page meanwhile stays there. */
export function focusIn({ current: form }: RefObject<HTMLFormElement>) {
  const isHere = (): boolean => {
    const active = document.activeElement;
    return !active || active.contains(form) || form?.contains(active) === true;
  };
  return {
    /**
     * Where it begins to type, however the form was opened: never at a choice, which typing would change unseen, and
     * behind what stands there. Who is in the form already stays where they are.
     */
    begin: (): void => {
      requestAnimationFrame(() => {
        if (form?.contains(document.activeElement)) return;
        const field = form?.querySelector<HTMLInputElement>(TYPED);
        field?.focus();
        // Fields of other types throw at this.
        if (/^text/.test(field?.type ?? "")) field?.setSelectionRange(1e9, 1e9);
      });
    },
    /** At the first field that a refusal names, or at its message: a warning of before may stand at another field. */
    showProblem: (named: readonly string[]): void => {
      requestAnimationFrame(() => {
        if (!isHere()) return;
        const wrong = [...(form?.querySelectorAll<HTMLInputElement>("[aria-invalid=true]") ?? [])];
        const problem = wrong.find(({ name }) => named.includes(name)) ?? form?.querySelector("[role=alert][tabindex]");
        problem?.focus();
        // It cannot be read, so it is typed anew.
        if (problem?.type === "password") problem.select();
      });
    },
    goOn: (): void => {
      if (form && isHere()) focusNextIn(form);
    },
  };
}
