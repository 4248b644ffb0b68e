import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useState } from "preact/hooks";

/** What each opened page of a list shows, the first page first. */
export type Shown<T> = Signal<ReadonlyMap<symbol, T>>;

export function useShown<T>(): Shown<T> {
  return useSignal<ReadonlyMap<symbol, T>>(new Map());
}

/** While a page is there, what it has is among what is `shown`. */
export function useAsShown<T>(shown: Shown<T>, what: T): void {
  const [page] = useState(() => Symbol());
  // Before the browser paints: what stands above the rows comes with them, and moves none.
  useLayoutEffect(() => {
    // A page that is read again keeps its place.
    shown.value = new Map(shown.peek()).set(page, what);
  }, [what]);
  const leave = () => {
    shown.value = new Map([...shown.peek()].filter(([each]) => each !== page));
  };
  useLayoutEffect(() => leave, []);
}
