import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { writeWhole } from "./data-folder.ts";

/** The ids of posts whose follow-up waits, in a file that outlives the process. */
export type NotedPosts = {
  /** Whether the process before this one stopped in order: then no other post waits. */
  areAll: boolean;
  read: () => string[];
  add: (postId: string) => void;
  replace: (postIds: string[]) => void;
  /** Says, at the end of the process, that no other post waits. */
  end: () => void;
};

const ARE_ALL = "these are all";

/** Keeps the ids in a file, one on each line. A line that a kill cut off names no post, which does no harm. */
export function notedIn(file: string): NotedPosts {
  const lines = (): string[] => (existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : []);
  const replace = (postIds: string[]) => writeWhole(file, postIds.map((postId) => `${postId}\n`).join(""));
  const found = lines();
  const areAll = found.includes(ARE_ALL);
  // This process may be killed.
  if (areAll) replace(found.filter((line) => line !== ARE_ALL));
  return {
    areAll,
    read: lines,
    add: (postId) => appendFileSync(file, `${postId}\n`, { mode: 0o600 }),
    replace,
    end: () => appendFileSync(file, `${ARE_ALL}\n`, { mode: 0o600 }),
  };
}
