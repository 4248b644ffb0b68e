import { readFile } from "node:fs/promises";
import { linkAt } from "../../../lib/moving/folder.ts";
import type { Answer } from "./invoke.ts";

/** The file of an export behind its link, as the bucket answers; undefined for another path. */
export async function exportAt(path: string): Promise<Answer | undefined> {
  const link = linkAt(path);
  if (!link) return undefined;
  return {
    statusCode: 200,
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${link.as}"`,
      "cache-control": "no-store",
    },
    body: (await readFile(link.file)).toString("base64"),
    isBase64Encoded: true,
  };
}
