import { readFileSync } from "node:fs";

// Every address of the portal, read from where the portal defines them: a new page is tried too.

/** What stands in addresses: slugs or ids of posts, and urls of boards. */
type Names = { posts: string[]; boards: string[] };

function definedIn(file: string, pattern: RegExp): string[] {
  return [...readFileSync(file, "utf8").matchAll(pattern)].map(([, found = ""]) => found);
}

/** The pages, as the router writes them: `/posts/:slug`. */
const PAGES = definedIn("portal/app.tsx", /^ {2}"(\/.*)": /gm);

/** What programs read, and pictures, in the same form. */
const DOCUMENTS = definedIn("portal/server/documents.ts", /path: \/\^(.*)\$\/,/g).map((path) =>
  path.replaceAll("\\", ""),
);
const PICTURES = definedIn("portal/cards.ts", /"(\/cards\/.*?)"/g);
const PICTURES_OF = definedIn("portal/cards.ts", /\/\^(.*)\$\/\.exec/g).map((path) => path.replaceAll("\\", ""));

/** An address for each name that can stand in it. Throws where nothing is known to stand in a part. */
function filled(path: string, { posts, boards }: Names): string[] {
  const values: Record<string, string[]> = {
    ":slug": posts,
    ":url": boards,
    ":tie": ["posts", "votes"],
    ":part?": ["", "queue"],
    "posts/([^/]+)": posts.map((each) => `posts/${each}`),
    "boards/([^/]+)": boards.map((each) => `boards/${each}`),
    "posts-([1-9]d{0,4})": ["posts-1"],
  };
  const [part] = Object.keys(values).filter((each) => path.includes(each));
  if (part !== undefined) return (values[part] ?? []).map((each) => path.replace(part, each));
  if (/[:()[\]*+?]/.test(path)) throw new Error(`${path}: say what can stand there in test/support/world/addresses.ts`);
  return [path];
}

/** All addresses in which these names can stand. */
export function addressesWith(names: Names): string[] {
  const all = [...PAGES, ...DOCUMENTS, ...PICTURES, ...PICTURES_OF];
  return all.flatMap((path) => filled(path, names).map((each) => (each === "/" ? each : each.replace(/\/$/, ""))));
}
