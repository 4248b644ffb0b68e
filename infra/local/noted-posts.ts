import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { writeWhole } from "./data-folder.ts";

/** The ids of posts whose follow-up waits, in a file that outlives the process. */
export type NotedPosts = {
  read: () => string[];
  add: (postId: string) => void;
  replace: (postIds: string[]) => void;
};

/** Keeps the ids in a file, one on each line. A line that a kill cut off names no post, which does no harm. */
export function notedIn(file: string): NotedPosts {
  return {
    read: () => (existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : []),
    add: (postId) => appendFileSync(file, `${postId}\n`, { mode: 0o600 }),
    replace: (postIds) => writeWhole(file, postIds.map((postId) => `${postId}\n`).join("")),
  };
}
