import { useEffect, useRef } from "preact/hooks";
import { useHere } from "./use-here.ts";

const PAUSE_MS = 300;

/**
 * Does something a moment after the last time it was asked for, unless a link has left the page meanwhile. Only what a
 * person does asks for it, never a page that is just shown.
 */
export function useLater<Args extends unknown[]>(what: (...args: Args) => void): (...args: Args) => void {
  const isHere = useHere();
  const latest = useRef(what);
  latest.current = (...args) => {
    if (isHere()) what(...args);
  };
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  return (...args) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(...args), PAUSE_MS);
  };
}
