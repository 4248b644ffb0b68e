import { environment, fromEnvironment } from "../runtime/environment.ts";
import { bucketAt } from "./bucket.ts";
import { folderAt } from "./folder.ts";
import type { Shelf } from "./shelf.ts";

/** The shelf of this process. */
export const shelf = fromEnvironment(({ EXPORT_BUCKET_URL, EXPORT_FOLDER }): Shelf => {
  if (EXPORT_BUCKET_URL) return bucketAt(EXPORT_BUCKET_URL);
  if (EXPORT_FOLDER) return folderAt(EXPORT_FOLDER);
  throw new Error("exports have no place: neither EXPORT_BUCKET_URL nor EXPORT_FOLDER is set");
});

/** Whether there is a place for exports. */
export function hasShelf(): boolean {
  const { EXPORT_BUCKET_URL, EXPORT_FOLDER } = environment();
  return EXPORT_BUCKET_URL !== undefined || EXPORT_FOLDER !== undefined;
}
