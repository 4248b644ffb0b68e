/** The boxes of a form that have a name: the one for all of them has none. */
export function boxesIn(group: HTMLElement): HTMLInputElement[] {
  return [...group.querySelectorAll<HTMLInputElement>("input[name]")];
}

export function checkedIn(group: HTMLElement): HTMLInputElement[] {
  return boxesIn(group).filter((box) => box.checked);
}

/** After a box was changed: the one for all changes the others, and they change it. Returns how many are checked. */
export function follow(group: HTMLElement, changed: EventTarget | null): number {
  const all = group.querySelector<HTMLInputElement>("input:not([name])");
  if (all && changed === all) for (const box of boxesIn(group)) box.checked = all.checked;
  const checked = checkedIn(group).length;
  if (all) all.checked = checked === boxesIn(group).length;
  return checked;
}
