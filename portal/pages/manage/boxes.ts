/** The boxes of a form that have a name: the one for all of them has none. */
export function boxesIn(group: HTMLElement): HTMLInputElement[] {
  return [...group.querySelectorAll<HTMLInputElement>("input[name]")];
}

/** After a box was changed: the one for all changes the others, and they change it. Returns how many are checked. */
export function follow(group: HTMLElement, changed: EventTarget | null): number {
  const all = group.querySelector<HTMLInputElement>("input:not([name])");
  const boxes = boxesIn(group);
  if (all && changed === all) for (const box of boxes) box.checked = all.checked;
  const checked = boxes.filter((box) => box.checked).length;
  if (all) all.checked = checked === boxes.length;
  return checked;
}
