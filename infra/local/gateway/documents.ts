import type { IncomingHttpHeaders } from "node:http";
import { documentFunctions } from "../../../functions/documents/index.ts";
import { pageFile } from "../../openapi/page.ts";
import type { Answer } from "./invoke.ts";

const PAGE = "/docs/";

const HEADERS = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
  // The page asks for passwords: no other page may show it in a frame. Its <meta> cannot say that.
  "content-security-policy": "frame-ancestors 'none'",
};

/** A document of the service, as in the cloud, or a file of the reference page; undefined for another path. */
export async function documentAt(path: string, headers: IncomingHttpHeaders): Promise<Answer | undefined> {
  if (path === documentFunctions.openapi) {
    // Loaded when it is asked for, so that a start is as fast as without it.
    const { handler } = await import("../../../functions/documents/openapi.ts");
    return handler({ headers: headers as Record<string, string> });
  }
  // With a slash at the end the page's own files are beside it.
  if (path === "/docs") return { statusCode: 301, headers: { location: PAGE } };
  if (!path.startsWith(PAGE)) return undefined;
  const file = pageFile(path.slice(PAGE.length) || "index.html");
  if (!file) return undefined;
  return {
    statusCode: 200,
    headers: { "content-type": file.type, ...HEADERS },
    body: file.content.toString("base64"),
    isBase64Encoded: true,
  };
}
