import { type Conflict, textOf } from "../posts/merging.ts";
import { ApiError } from "../runtime/errors.ts";

/** The error of a merge, or of its undoing, that is refused: which conflict it is, as a value and in words. */
export function mergeConflict(refused: Conflict): ApiError {
  return new ApiError("MERGE_CONFLICT", { message: textOf(refused), conflict: refused.conflict });
}
