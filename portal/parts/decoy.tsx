import { DECOY } from "./form-values.ts";

// What stops scripts that fill in a whole form and send it: a field that people neither see nor reach, and a least
// time. Both are the page's alone. A script that calls the API meets its limits: docs/portal.md.

/** What is not typed by a person within this time. */
const LEAST_MS = 2000;

/** The field. Managers of passwords are asked to leave it alone, each in its own words. */
export function Decoy() {
  return (
    <span class="unseen" aria-hidden="true">
      <input
        name={DECOY}
        tabIndex={-1}
        autoComplete="off"
        data-1p-ignore="true"
        data-bwignore="true"
        data-lpignore="true"
        data-form-type="other"
      />
    </span>
  );
}

/** Whether the field of a form was filled in. It is emptied, so that a person's second press sends. */
export function wasDecoyed(form: HTMLFormElement): boolean {
  const field = form.querySelector<HTMLInputElement>(`[name=${DECOY}]`);
  if (!field?.value) return false;
  field.value = "";
  return true;
}

/** Waits until a form has been shown for the least time; `shownAt` by a clock that nobody sets. */
export async function untilShownFor(shownAt: number): Promise<void> {
  const left = shownAt + LEAST_MS - performance.now();
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
}
