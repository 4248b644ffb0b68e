import type { Post } from "../../api.ts";
import { useCan } from "../../site.ts";

/** Whether the reader cannot comment, because the post is locked. */
export function useIsClosed({ isLocked }: Post): boolean {
  const isOfTeam = useCan()("post:moderate");
  return isLocked && !isOfTeam;
}
