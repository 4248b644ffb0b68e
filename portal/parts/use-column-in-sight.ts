import { useEffect, useRef, useState } from "preact/hooks";

/** So far may what has jumped to a column still be scrolled before that one counts no more. */
const NEAR_PX = 40;

/** How far the page and the row of its columns are scrolled. */
function scrolledNow(): number {
  return scrollY + (document.querySelector(".columns")?.scrollLeft ?? 0);
}

/**
 * The column that is read; none where they stand in a row. The line on which one reads is at the top of the window at
 * the start of the page, and at its foot at the end: so each column has its turn, however short it is.
 */
function columnInSight(): string | undefined {
  const headings = [...document.querySelectorAll(".columns h2")];
  const topOf = (heading?: Element) => heading?.getBoundingClientRect().top ?? 0;
  if (topOf(headings[1]) <= topOf(headings[0])) return undefined;
  const read = scrollY / (document.documentElement.scrollHeight - innerHeight);
  const passed = headings.filter((each) => topOf(each) < read * innerHeight);
  return (passed.at(-1) ?? headings[0])?.id;
}

/**
 * The id of the column that is read, where columns stand below each other. `jumpTo` gives the keyboard to a column to
 * which the page jumps: that one counts until something is scrolled, also in a row, and if it is too near to the end
 * to be the only one in sight or the first.
 */
export function useColumnInSight() {
  const [inSight, setInSight] = useState<string>();
  const jumped = useRef<{ id: string; scrolled: number }>();
  useEffect(() => {
    const look = () => {
      const { id, scrolled = 0 } = jumped.current ?? {};
      if (Math.abs(scrolledNow() - scrolled) > NEAR_PX) jumped.current = undefined;
      setInSight(jumped.current ? id : columnInSight());
    };
    look();
    // A row that is scrolled tells only those who listen on the way down to it.
    for (const moving of ["scroll", "resize"]) addEventListener(moving, look, true);
    return () => {
      for (const moving of ["scroll", "resize"]) removeEventListener(moving, look, true);
    };
  }, []);
  const jumpTo = (id: string) =>
    // The browser has jumped by then.
    requestAnimationFrame(() => {
      document.getElementById(id)?.focus();
      jumped.current = { id, scrolled: scrolledNow() };
      setInSight(id);
    });
  return { inSight, jumpTo };
}
