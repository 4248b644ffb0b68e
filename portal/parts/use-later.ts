import { useEffect, useRef } from "preact/hooks";

const PAUSE_MS = 300;

/** Does something when the last change is a moment ago. */
export function useLater(what: () => void, changes: unknown[]): void {
  const latest = useRef(what);
  latest.current = what;
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, changes);
}
