import { signal } from "@preact/signals";
import { ofBrowser } from "../../store.ts";

// What this browser keeps of the owner's first steps: two that leave no trace on the site, and that the list is hidden.

type Kept = "statuses" | "share" | "hidden";

const KEPT_AS = "first-steps";

const read = () => new Set((ofBrowser.get(KEPT_AS) ?? "").split(" "));

export const keptSteps = signal(read());

export function keepStep(step: Kept): void {
  const steps = read().add(step);
  ofBrowser.set(KEPT_AS, [...steps].join(" "));
  keptSteps.value = steps;
}
