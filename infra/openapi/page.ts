// The reference as a page: Swagger UI, our few lines of it, and the document. All files are local; the page calls the
// API alone.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";

export const DOCUMENT_FILE = join(import.meta.dirname, "../../docs/openapi.json");

const OWN = join(import.meta.dirname, "page");

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
};

const FROM_SWAGGER = [
  "swagger-ui.css",
  "swagger-ui-bundle.js",
  "swagger-ui-bundle.js.LICENSE.txt",
  "favicon-32x32.png",
];

export const pageFiles = ["index.html", "page.css", "page.js", "openapi.json", ...FROM_SWAGGER] as const;

function swaggerFolder(): string {
  return dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
}

function fileOf(name: string): string {
  if (name === "openapi.json") return DOCUMENT_FILE;
  return join(FROM_SWAGGER.includes(name) ? swaggerFolder() : OWN, name);
}

/** A file of the reference page with its media type; undefined if it is none. */
export function pageFile(name: string): { type: string; content: Buffer } | undefined {
  if (!pageFiles.includes(name)) return undefined;
  return { type: TYPES[extname(name)] ?? "text/plain; charset=utf-8", content: readFileSync(fileOf(name)) };
}
