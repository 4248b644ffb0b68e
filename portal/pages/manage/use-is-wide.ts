import { useEffect, useState } from "preact/hooks";

const WIDE = "(min-width: 60rem)";

/** Whether there is room beside the content; on a narrower screen what would stand there is folded. */
export function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const follow = () => setWide(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isWide;
}
