import { useEffect, useRef } from "preact/hooks";
import { useHere } from "./use-here.ts";

const PAUSE_MS = 300;

/** Does something when the last change is a moment ago, unless a link has left the page meanwhile. */
export function useLater(what: () => void, changes: unknown[]): void {
  const isHere = useHere();
  const latest = useRef(what);
  latest.current = () => isHere() && what();
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, changes);
}
