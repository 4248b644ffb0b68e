// Makes lib/client/schema.ts, the types of the API that the client and the portal are compiled with.
import { execFileSync } from "node:child_process";
import { renameSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const DOCUMENT = join(root, "docs/openapi.json");
const TYPES = join(root, "lib/client/schema.ts");

/** Makes the types, unless they are newer than the document and this file. */
export function makeTypes(): void {
  const madeAt = statSync(TYPES, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if ([DOCUMENT, import.meta.filename].every((source) => madeAt > statSync(source).mtimeMs)) return;
  // Below lib/client, with a TypeScript of its own: it needs the compiler's API, which TypeScript 7 does not have.
  const generator = join(root, "lib/client/node_modules/.bin/openapi-typescript");
  const part = join(root, `lib/client/schema-${process.pid}.ts`);
  execFileSync(generator, [DOCUMENT, "--output", part], { stdio: ["ignore", "ignore", "inherit"] });
  renameSync(part, TYPES);
}

if (import.meta.main) makeTypes();
