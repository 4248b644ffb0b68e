import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import { openApiDocument } from "../../../infra/openapi/document.ts";
import { GUIDE_FILE, guideText } from "../../../infra/openapi/endpoint-table.ts";
import { unusedFields } from "../../../infra/openapi/field-of.ts";
import { DOCUMENT_FILE } from "../../../infra/openapi/page.ts";
import { recordExchanges } from "../../support/world/exchanges.ts";
import { expectWritten, writeIfAsked } from "../../support/written.ts";

let document: ReturnType<typeof openApiDocument>;
let text: string;

// npm run docs runs this file too: test/support/written.ts.
beforeAll(async () => {
  document = openApiDocument(await recordExchanges());
  text = `${JSON.stringify(document, undefined, 2)}\n`;
  writeIfAsked(DOCUMENT_FILE, text);
});

let parsed: typeof document | undefined;

function kept(): typeof document {
  parsed ??= JSON.parse(readFileSync(DOCUMENT_FILE, "utf8")) as typeof document;
  return parsed;
}

type Described = { description: string; type?: string | string[]; anyOf?: Described[] };

/** All fields with a description below a part of the document, each with its place. */
function describedFields(part: unknown, place = ""): { place: string; schema: Described }[] {
  if (typeof part !== "object" || part === null) return [];
  const { properties = {} } = part as { properties?: Record<string, Described> };
  const own = Object.entries(properties).map(([name, schema]) => ({ place: `${place}/${name}`, schema }));
  const below = Object.entries(part)
    .filter(([name]) => !name.startsWith("example"))
    .flatMap(([name, each]) => describedFields(each, `${place}/${name}`));
  return [...own.filter(({ schema }) => schema.description !== undefined), ...below];
}

function mayBeNull({ type, anyOf = [] }: Described): boolean {
  return [type].flat().includes("null") || anyOf.some(mayBeNull);
}

describe("docs/openapi.json", () => {
  it("agrees with the definitions and with the answers to the examples: after a change run npm run docs", () => {
    expectWritten(DOCUMENT_FILE, text);
  });

  it("passes the strictest rules of its linter", async () => {
    const redocly = join(import.meta.dirname, "../../../node_modules/.bin/redocly");
    const words = ["lint", DOCUMENT_FILE, "--extends=recommended-strict", "--format=json"];
    const env = { PATH: process.env.PATH, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const report = await new Promise<string>((done) =>
      execFile(redocly, words, { env, maxBuffer: 2 ** 24 }, (_, stdout) => done(stdout)),
    );
    const { problems, totals } = JSON.parse(report);
    expect(problems).toEqual([]);
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  }, 300_000);

  it("requires a token where the definition does", () => {
    const bearer = [{ bearer: [] }];
    const security = { public: [], optional: [{}, ...bearer], bearer, "bearer unless public reads": bearer };
    for (const {
      definition: { access, method, path },
    } of endpoints) {
      const operation = kept().paths[path.replace("+}", "}")]?.[method.toLowerCase()] as { security: object[] };
      expect(operation.security, path).toEqual(security[access]);
    }
  });

  it("states the figures of the rate limits", () => {
    const limited = (path: string, method: string) =>
      (kept().paths[path]?.[method] as { "x-rate-limits"?: object[] } | undefined)?.["x-rate-limits"];
    const [first] = limited("/auth/login", "post") ?? [];
    expect(first).toEqual({ hits: 10, seconds: 300, per: ["email", "network"] });
    expect(limited("/posts/slug", "post")).toBeUndefined();
  });

  it("describes no field that does not exist", () => {
    expect(unusedFields(), "infra/openapi/fields.ts").toEqual([]);
  });

  it("speaks of null only where a field can be null", () => {
    const wrong = describedFields(kept()).filter(
      ({ schema }) => /\bnull\b/i.test(schema.description) && !mayBeNull(schema),
    );
    expect(
      wrong,
      "describe these fields by `<resource>.<field>` or `<endpoint>.<field>` in infra/openapi/fields.ts",
    ).toEqual([]);
  });
});

describe("docs/api.md", () => {
  it("lists every endpoint as it is defined: after a change run npm run docs", () => {
    expectWritten(GUIDE_FILE, guideText());
  });
});
