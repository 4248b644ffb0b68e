import { readFileSync } from "node:fs";
import { join } from "node:path";
import { endpoints } from "../../functions/index.ts";
import { codesOf, type Definition } from "../../lib/http/definition.ts";
import type { ErrorCode } from "../../lib/runtime/errors.ts";
import { descriptionOf, pathOf, rolesWith } from "./operations.ts";

/** The guide to the API: written by hand, with the table of endpoints below its marker. */
export const GUIDE_FILE = join(import.meta.dirname, "../../docs/api.md");

const MARKER = "<!-- npm run docs writes everything below this line. -->";

const INTRODUCTION = `## Endpoints

Each endpoint may also answer with SERVER_ERROR and PAYLOAD_TOO_LARGE, with VALIDATION_ERROR if it has input, and with
INVALID_AUTH_HEADER, INVALID_AUTH_HEADER_FORMAT and INVALID_TOKEN if it requires a token. What the codes mean, all
fields and an example of each endpoint: [openapi.json](openapi.json), as a page under \`/docs\` of the service.`;

const SAID_ABOVE = new Set<ErrorCode>([
  "SERVER_ERROR",
  "PAYLOAD_TOO_LARGE",
  "VALIDATION_ERROR",
  "INVALID_AUTH_HEADER",
  "INVALID_AUTH_HEADER_FORMAT",
  "INVALID_TOKEN",
]);

const CALLERS: Record<Definition["access"], string> = {
  public: "anyone",
  optional: "anyone; a token is optional",
  bearer: "any account",
  "bearer unless public reads": "any account; anyone with `PUBLIC_READS`",
};

function rowOf(definition: Definition): string {
  const { method, access, permission, errors } = definition;
  const codes = [...codesOf(definition)].filter((code) => errors.includes(code) || !SAID_ABOVE.has(code)).sort();
  return `| ${[
    `\`${method} ${pathOf(definition)}\``,
    descriptionOf(definition).summary,
    permission ? rolesWith(permission).join(", ") : CALLERS[access],
    codes.join(", "),
  ].join(" | ")} |`;
}

/** The text of the guide with a new table. */
export function guideText(): string {
  const [guide = ""] = readFileSync(GUIDE_FILE, "utf8").split(MARKER);
  const head = ["| Endpoint | Result | Who may call | Errors |", "| --- | --- | --- | --- |"];
  const table = [...head, ...endpoints.map(({ definition }) => rowOf(definition))].join("\n");
  return `${[guide.trimEnd(), MARKER, INTRODUCTION, table].join("\n\n")}\n`;
}
