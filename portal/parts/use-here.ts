import { useLocation } from "preact-iso/router";

/** Tells whether the address is still the one of this page, which stays shown until the next one is loaded. */
export function useHere(): () => boolean {
  const { url } = useLocation();
  return () => {
    // A link may have led to a place on the page, which is in `url` alone.
    const { pathname, search } = new URL(url, location.origin);
    return pathname === location.pathname && search === location.search;
  };
}
