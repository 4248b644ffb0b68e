// npm test -- --endpoint <name>: what a change of one endpoint can break. First the rows that the endpoint lacks in the
// files that list endpoints, then the suites over all endpoints for this one, its own tests, and the files that list
// endpoints.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endpoints } from "../functions/index.ts";
import type { Definition } from "../lib/http/definition.ts";

const root = join(import.meta.dirname, "..");

function read(pattern: string): string {
  const files = globSync(pattern, { cwd: root });
  return files.map((file) => readFileSync(join(root, file), "utf8")).join("\n");
}

/** A place that has a row for each endpoint, and how to add one. */
type Place = { file: string; cure: string; has: (definition: Definition) => boolean };

const WRITTEN = "run npm run docs";

/** A client may make the name from a part: `${kind}-create`. */
function isCalledByClients({ name }: Definition): boolean {
  const clients = read("test/simulation/clients/*.ts");
  const ending = name.slice(name.indexOf("-"));
  return clients.includes(`"${name}"`) || clients.includes(`}${ending}\``) || clients.includes(`"${ending.slice(1)}"`);
}

const places: Place[] = [
  {
    file: "test/support/world/examples.ts",
    cure: "add a request with every field",
    has: ({ name, request }) =>
      Object.keys(request.shape).length === 0 || read("test/support/world/examples.ts").includes(`"${name}":`),
  },
  {
    file: "test/functions/",
    cure: "add a test that names it",
    has: ({ name }) => `${read("test/functions/**/*.ts")}${read("test/support/portal.ts")}`.includes(`"${name}"`),
  },
  { file: "test/simulation/clients/", cure: "add a client that calls it", has: isCalledByClients },
  {
    file: "docs/openapi.json",
    cure: WRITTEN,
    has: ({ name }) => {
      const operation = name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      return read("docs/openapi.json").includes(`"operationId": "${operation}"`);
    },
  },
  {
    file: "docs/api.md",
    cure: WRITTEN,
    has: ({ method, path }) => read("docs/api.md").includes(`| \`${method} ${path.replace("+}", "}")}\` |`),
  },
  {
    file: "docs/costs.md",
    cure: WRITTEN,
    has: ({ name }) => new RegExp(`^${name} +\\d`, "m").test(read("docs/costs.md")),
  },
  {
    file: "test/cost/example-plans.txt",
    cure: WRITTEN,
    has: ({ name, contract }) =>
      contract === true || name === "auth-set-up" || read("test/cost/example-plans.txt").includes(`${name}: `),
  },
];

/** The definition of a name; throws if `functions/index.ts` does not list it. */
export function definitionOf(name: string): Definition {
  const endpoint = endpoints.find(({ definition }) => definition.name === name);
  if (endpoint) return endpoint.definition;
  const file = `functions/${name.replace("-", "/")}.ts`;
  const isThere = existsSync(join(root, file));
  throw new Error(isThere ? `functions/index.ts does not list ${name}` : `no endpoint is named ${name}`);
}

/** The places that lack a row for an endpoint, each with its cure. */
export function missingRows(definition: Definition): string[] {
  const { name } = definition;
  return places
    .filter(({ has }) => !has(definition))
    .map(({ file, cure }) => `${file} has no row for ${name}: ${cure}`);
}

// Its counts of a network's units go through all endpoints, so it runs whole.
const GRANTS = "test/security/grants.test.ts";

/** Suites whose checks name the endpoint that they try. */
const SUITES = [
  ...globSync("test/security/*.test.ts", { cwd: root }).filter((file) => file !== GRANTS),
  "test/lib/http/definition",
  "test/infra/openapi/limits",
  "test/functions/idempotency",
  "test/functions/lists",
  "test/functions/preconditions",
  "test/functions/require-verified",
  "test/functions/public-reads",
];

/** Files that compare a list of all endpoints, or a sum over them. */
const LEDGERS = [
  GRANTS,
  "test/cost/endpoints",
  "test/cost/shares",
  "test/cost/worst-bill",
  "test/functions/contract",
  "test/functions/groups",
  "test/infra/bundle/bundle",
  "test/infra/openapi/document",
  "test/infra/stack/size",
  "test/infra/stack/stack",
  "test/structure",
];

/** The test files of its folder, and others that name it. */
function ownTests(name: string): string[] {
  const folder = `test/functions/${name.split("-")[0]}/`;
  return globSync("test/functions/**/*.test.ts", { cwd: root }).filter((file) => {
    const isSuite = SUITES.some((suite) => file.startsWith(suite));
    return !isSuite && (file.startsWith(folder) || readFileSync(join(root, file), "utf8").includes(`"${name}"`));
  });
}

/** The words for vitest of each run. */
export function runsOf(name: string): string[][] {
  return [
    [...SUITES, "-t", name],
    [...LEDGERS, ...ownTests(name)],
    ["test/simulation/clients.test", "-t", "every endpoint"],
  ];
}
