// What the server makes of an address before it reads anything.

// Only the path and the query of an address are looked at.
const ANY_ORIGIN = "http://localhost";

/** Takes an address apart. Slashes at its beginning name no other host. Throws if it cannot be read. */
export function partsOf(url: string): { path: string; query: URLSearchParams } {
  const { pathname, searchParams } = new URL(url.replace(/^[/\\]+/, "/"), ANY_ORIGIN);
  // Slashes can also be at the beginning once dots are resolved: `/.//host`.
  return { path: pathname.replace(/^\/+/, "/"), query: searchParams };
}

/** An address that the router can read; another one is not found. */
export function readable(url: string): string {
  try {
    decodeURIComponent(partsOf(url).path);
    return url;
  } catch {
    return "/404";
  }
}

export function addressOf(path: string, query: URLSearchParams): string {
  return query.size > 0 ? `${path}?${query}` : path;
}

/** A path without the slashes at its end; the first one stays. */
function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** The address without needless slashes at the beginning and the end; undefined if it has none. */
export function withoutSlashes(url: string): string | undefined {
  const { path, query } = partsOf(url);
  const plain = withoutLastSlashes(path);
  return plain === path && !/^[/\\]{2}/.test(url) ? undefined : addressOf(plain, query);
}

/** The addresses that other portals give a post. */
const OF_OTHER_PORTALS = [
  // Fider: /posts/12/dark-mode
  /^\/posts\/\d+\/([^/]+)$/,
  // Canny: /b/ideas/p/dark-mode, /ideas/p/dark-mode
  /^(?:\/b)?\/[^/]+\/p\/([^/]+)$/,
  // UserVoice: /forums/1-ideas/suggestions/12-dark-mode, where only the number counts
  /^\/forums\/[^/]+\/suggestions\/(\d+)(?:-[^/]*)?$/,
];

/** The address of a post that was imported, if a path is its address in another portal. */
export function pathOfImportedPost(path: string): string | undefined {
  const [slug] = OF_OTHER_PORTALS.flatMap((pattern) => pattern.exec(path)?.[1] ?? []);
  return slug === undefined ? undefined : `/posts/${slug}`;
}

/** What the address of a page may hold. Anything else is dropped: a form that was sent before the script ran, say. */
const PARAMETERS = new Set([
  "order",
  "board",
  "status",
  "tag",
  "q",
  "title",
  "next",
  "token",
  "at",
  "after",
  "comment",
  "column",
  "merged",
]);

/** Names of fields that must not stay in an address, nor in a history. */
const SECRETS = ["password", "email", "setupCode", "code"];

/** The address without what a form has put there; undefined if it has nothing of that kind. */
export function withoutFields(url: string): string | undefined {
  const { path, query } = partsOf(url);
  // A provider brings its code there, which counts once and with the secret of its tab alone.
  if (path === "/sign-in/callback") return undefined;
  const names = [...query.keys(), ...namesIn(query.get("next"))];
  if (!SECRETS.some((name) => names.includes(name))) return undefined;
  const kept = [...query].filter(([name, value]) => PARAMETERS.has(name) && namesIn(value).length === 0);
  return addressOf(path, new URLSearchParams(kept));
}

/** The parameters of an address within an address. */
function namesIn(address: string | null): string[] {
  const [, query = ""] = address?.split("?") ?? [];
  return [...new URLSearchParams(query).keys()];
}

/** The address of a post; its slug may have letters of any script. */
export function pathOfPost(slug: string): string {
  return `/posts/${encodeURIComponent(slug)}`;
}

/** The address of the picture of a post. */
export function pathOfCard(slug: string): string {
  return `/cards${pathOfPost(slug)}.png`;
}

export function pathOfBoard(url: string): string {
  return `/boards/${encodeURIComponent(url)}`;
}

/** Whether a path is one of the pages that only the team sees. */
export function isOfTeam(path: string): boolean {
  return /^\/manage(\/|$)/.test(path);
}

/** The slug that the address of a post names; undefined for another page. */
export function slugIn(path: string): string | undefined {
  const [, slug] = /^\/posts\/([^/]+)$/.exec(path) ?? [];
  return slug && decodeURIComponent(slug);
}
