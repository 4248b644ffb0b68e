/** Shows a section whole, as far as the window has room, and in any case what has the keyboard in it. */
export function showSection(section: Element | null): void {
  const { activeElement: active } = document;
  section?.scrollIntoView({ block: "nearest" });
  if (section?.contains(active)) active?.scrollIntoView({ block: "nearest" });
}

/** Keeps the section of a card in sight that a person uses: when it opens, and when results come in it. */
export function keepInSight(card: HTMLElement | null): void {
  let used: Element | null = null;
  let height = 0;
  const observer = new ResizeObserver(() => {
    const before = height;
    height = used?.clientHeight ?? 0;
    if (height !== before) showSection(used);
  });
  // Both come before a press opens it. What the page opens by itself leads nobody there.
  const use = ({ target }: Event) => {
    const section = (target as Element).closest(".panel .panel");
    if (section === used) return;
    observer.disconnect();
    used = section;
    height = section?.clientHeight ?? 0;
    if (section) observer.observe(section);
  };
  for (const using of ["focusin", "click"]) card?.addEventListener(using, use);
}
