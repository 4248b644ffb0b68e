import { readFileSync } from "node:fs";
import { join } from "node:path";
import { endpoints } from "../../functions/index.ts";
import type { Definition } from "../../lib/http/definition.ts";
import { descriptionOf, pathOf, rolesWith } from "./operations.ts";

/** The guide to the API: written by hand, with the table of endpoints below its marker. */
export const GUIDE_FILE = join(import.meta.dirname, "../../docs/api.md");

const MARKER = "<!-- npm run docs writes everything below this line. -->";

const INTRODUCTION = `## Endpoints

[openapi.json](openapi.json), shown by \`npm start\` under \`/docs/\`, has fields, errors and an example of each.
"Members" includes moderators and the owner, "moderators" includes the owner.`;

const CALLERS: Record<Definition["access"], string> = {
  public: "anyone",
  optional: "anyone; optional token",
  bearer: "any account",
  "bearer unless public reads": "any account; anyone with `PUBLIC_READS`",
};

const NAMES: Record<string, string> = { owner: "the owner", moderator: "moderators", member: "members" };

function rowOf(definition: Definition): string {
  const { method, access, permission } = definition;
  // The last role that has a permission: the roles before it have the permission too.
  const callers = permission ? NAMES[rolesWith(permission).at(-1) ?? ""] : CALLERS[access];
  return `| \`${method} ${pathOf(definition)}\` | ${descriptionOf(definition).summary} | ${callers} |`;
}

/** docs/api.md with the table of endpoints as the definitions are now. */
export function guideText(): string {
  const [guide = ""] = readFileSync(GUIDE_FILE, "utf8").split(MARKER);
  const head = ["| Endpoint | Result | Who may call |", "| --- | --- | --- |"];
  const table = [...head, ...endpoints.map(({ definition }) => rowOf(definition))].join("\n");
  return `${[guide.trimEnd(), MARKER, INTRODUCTION, table].join("\n\n")}\n`;
}
