import { useRoute } from "preact-iso/router";

type Seen = Partial<ReturnType<typeof useRoute>>;

/**
 * Tells whether the address is still the one of this page, which stays shown until the script of the next one is
 * loaded. The location then names the next page; the route is still the one of this page.
 */
export function useHere(): () => boolean {
  // What stands beside the pages has none, and is there at each address.
  const { path, query }: Seen = useRoute();
  return () => path === undefined || (path === pathNow() && JSON.stringify(query) === JSON.stringify(queryNow()));
}

// The router leaves out slashes at the end, and keeps the last of two values.

function pathNow(): string {
  const names = location.pathname.split("/");
  while (names.length > 1 && names.at(-1) === "") names.pop();
  return names.join("/") || "/";
}

function queryNow(): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(location.search));
}
