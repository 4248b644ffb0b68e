import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { register } from "../lib/accounts/new-users.ts";
import { waiting } from "../lib/accounts/outbox.ts";
import * as site from "../lib/accounts/site.ts";
import { newAccount } from "../lib/auth/accounts.ts";
import * as passwords from "../lib/auth/passwords.ts";
import { newId } from "../lib/values/ids.ts";
import { aClone } from "./support/docs/clone.ts";
import { type Command, commandsOf, documents, filled, unmarkedBlocksOf } from "./support/docs/commands.ts";
import { documentedContexts, examples } from "./support/docs/contexts.ts";
import { Terminal } from "./support/docs/terminal.ts";
import { invoke } from "./support/http/invoke.ts";
import { aDeployedTable } from "./support/process/operate.ts";
import { aFolder, call, engineOf, type RunningServer } from "./support/process/server-process.ts";
import { withBundles } from "./support/stack/bundles.ts";
import { fiderSites, portalOf, sourceNames, writeDump } from "./support/world/dumps.ts";
import { withTwoFactor } from "./support/world/two-factor.ts";

// Every command that README.md and docs/ show is typed here as it stands, in a fresh clone, by bash, npm and npx. A
// command that is not typed is listed with a reason; a new one fails until it is typed or listed.

const notTyped: [RegExp, string][] = [
  [/^aws |=\$\(aws |^output\(\) |^for family in /, "asks AWS"],
  [/^(OLD=|sleep 60$)/, "prepares or waits for a call of AWS"],
  [/^(npx )?cdk (bootstrap|destroy)/, "changes an AWS account"],
  [
    /^npm ci$|^git (clone|pull)|^cd feedback-board$/,
    "needs a remote and a registry: .ci/run begins on a fresh machine",
  ],
  [/^npm test( -- cost\/worst-bill .*)?$/, "is this run"],
  [/^npm run bench/, "measures for minutes: test/bench/bench.ts"],
  [/^npm run simulate( -- --(mutants|neighbours))?$/, "runs for minutes: .github/workflows/simulate.yml"],
  [/^npm run simulate -- --seed/, "repeats a run that failed: test/simulation/clients.test.ts"],
  [/^npm run sam|^sam /, "needs Docker and SAM: test/infra/local/sam.test.ts"],
  [/operate -- mail-check /, "sends a mail by SES: test/infra/operator/mail-check.test.ts"],
  [/^pg_dump /, "needs LogChimp's database: test/support/world/dumps.ts makes its dump"],
  [/operate -- save-canny /, "asks Canny: test/infra/operator/save-canny.test.ts"],
  [/operate -- brake /, "asks API Gateway: test/infra/operator/brake.test.ts"],
  [/operate -- migrate --again/, "names a migration, and there is none: test/infra/operator/migrate.test.ts"],
  [/^bash infra\/cloudshell\/deploy\.sh/, "asks AWS: test/infra/cloudshell.test.ts"],
  [/^sh infra\/smoke\/probe-rights\.sh/, "asks IAM: test/infra/smoke/probe-rights.test.ts"],
  [/^npm run construct$/, "needs an app of its own: test/infra/construct/construct.test.ts"],
  [
    /^npm run client$|^npm init|^npm install <this|^node try|^npx tsx/,
    "needs a project of its own: test/infra/client/client.test.ts",
  ],
  [/^(VITE_API_URL=\S+ )?pnpm /, "needs LogChimp's repository"],
  [/^curl -d$/, "is a part of a command"],
];

/** The documents that another test types from beginning to end. */
const typedElsewhere: Record<string, string> = {
  "docs/tour.md": "test/tour.test.ts",
  "docs/webhooks.md": "test/receiver.test.ts",
  "docs/sign-in.md": "test/functions/auth/sso.test.ts, test/infra/local/provider.test.ts",
};

const SERVER = /^([A-Z_]+=\S+ )*npm start( -- --(demo|provider))?$/;
const SYNTHESIS = /^(?:npx )?cdk (?:synth|deploy|diff)\b/;

function isTyped({ file, text }: Command): boolean {
  return !(file in typedElsewhere) && !notTyped.some(([pattern]) => pattern.test(text));
}

const all = documents.flatMap(commandsOf);
const typed = all.filter(isTyped);

function textsOf(commands: Command[]): string[] {
  return [...new Set(commands.map(({ text }) => text))];
}

const terminal = new Terminal(aClone());
/** No AWS account, no news from the network. The CDK's validation takes longer than a synthesis: nag.test.ts has it. */
const withoutAws = {
  AWS_REGION: "eu-central-1",
  AWS_EC2_METADATA_DISABLED: "true",
  CDK_DISABLE_CLI_TELEMETRY: "true",
  CDK_VALIDATION: "false",
  CDK_DISABLE_STACK_TRACE: "true",
};
/** The functions are the same in every context: the first synthesis bundles them. */
const bundledBefore = { NODE_OPTIONS: withBundles.join(" ") };

const ORIGIN = "https://feedback.example.com";
const SETUP_CODE = "open sesame";
const PASSWORD = "a long password";

describe("The commands of README.md and docs/", () => {
  it("stand in blocks that say they are for a shell", () => {
    expect(documents.flatMap(unmarkedBlocksOf)).toEqual([]);
  });

  it("each are typed here, or have a reason not to be, and every reason has a command", () => {
    const unused = notTyped.filter(([pattern]) => !all.some(({ text }) => pattern.test(text)));
    expect(unused).toEqual([]);
    const reasons = [...Object.values(typedElsewhere), ...notTyped.map(([, reason]) => reason)].join(" ");
    for (const [file] of reasons.matchAll(/[\w.][\w./-]*\.(?:ts|yml)\b/g)) expect(existsSync(file), file).toBe(true);
  });
});

// They leave a data folder behind, which commands below look at.
describe("npm start, as the documents type it", () => {
  const commands = textsOf(typed.filter(({ text }) => SERVER.test(text)));

  it.each(commands)("starts and stops: %s", async (command) => {
    const server = await terminal.start(command);
    expect((await fetch(new URL("/", server.baseUrl))).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });
});

describe("npx cdk, as the documents type it", () => {
  // The context that docs/deploy.md gives a stage.
  const contextOf = (stage: string) =>
    typed.map(({ text }) => text.split(`cdk deploy -c stageName=${stage} `)[1] ?? "").find((text) => text !== "") ?? "";
  const values = { "context of dev": contextOf("dev"), "context of prod": contextOf("prod") };
  // What AWS would do follows the synthesis.
  const synthesisOf = (text: string) =>
    filled(text, values).replaceAll("\\\n  ", "").replace(SYNTHESIS, "npx cdk synth --quiet --no-notices");
  const syntheses = textsOf(typed.filter(({ text }) => SYNTHESIS.test(text))).map(synthesisOf);
  const hasPages = (text: string) => text.includes("portal=true");
  const [first = ""] = syntheses.filter(hasPages);
  const others = [...new Set(syntheses)].filter((text) => text !== first);
  const env = { ...withoutAws, SETUP_CODE };

  it("synthesises pages and functions in a clone that has built nothing", async () => {
    expect(first).toMatch(/^npx cdk synth /);
    await terminal.type([first], env);
  });

  it.each(others)("synthesises: %s", async (command) => {
    await terminal.type([command], { ...env, ...bundledBefore });
  });

  it("synthesises with each documented value alone, and with all of them", async () => {
    const [, table = ""] = /^\| Context \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(readFileSync("docs/deploy.md", "utf8")) ?? [];
    const names = table.split("\n").flatMap((row) => row.split("|")[1]?.match(/\w+/g) ?? []);
    expect(names.sort()).toEqual(Object.keys(examples).sort());
    const program = "test/support/docs/synthesise-each.ts";
    await terminal.type([`npx node ${program} '${JSON.stringify(documentedContexts())}'`], {
      ...env,
      ...bundledBefore,
    });
  });
});

describe("The other commands", () => {
  const DATA_DIR = aFolder();
  let server: RunningServer;
  let env: Record<string, string>;
  let values: Record<string, string>;

  beforeAll(async () => {
    const SETUP_CODE_SHA256 = createHash("sha256").update(SETUP_CODE).digest("hex");
    server = await terminal.start("npm start", { DATA_DIR, SETUP_CODE_SHA256, ALLOWED_ORIGINS: ORIGIN });
    await invoke("auth-sign-up", { body: { email: "ada@example.com", password: "correct horse" } });
    const [mail] = await waiting();
    // The person of docs/operations.md who has lost the app and the codes.
    const olga = newAccount("olga@example.com", "Olga", "member");
    await register(olga, await passwords.hash("correct horse"), {});
    await withTwoFactor({ ...olga, token: "" });
    await site.setUp("Feedback", newAccount("olive@example.com", "Olive", "owner"), "none", site.firstBoard(newId()));
    const { TABLE_NAME = "", ...deployed } = aDeployedTable();
    for (const source of sourceNames) writeDump(terminal.folder, source, portalOf());
    writeFileSync(join(terminal.folder, "fider.sql"), fiderSites);
    env = { ...deployed, BASE: server.baseUrl, NEW: TABLE_NAME, OLD: TABLE_NAME };
    values = {
      BaseUrl: server.baseUrl,
      "BaseUrl of dev": server.baseUrl,
      "AllowedOrigins of dev": ORIGIN,
      "a long one": PASSWORD,
      "the code": SETUP_CODE,
      TableName: TABLE_NAME,
      region: "eu-west-1",
      id: mail?.sk ?? "",
      word: "documented",
    };
  });
  afterAll(() => server.stop());

  /** The command with this machine's addresses, and of one operation where the document lets it run for long. */
  const here = (command: string): string =>
    filled(command, values)
      .replace("http://127.0.0.1:3000", new URL(server.baseUrl).origin)
      .replace("http://127.0.0.1:8000", engineOf(DATA_DIR).endpoint)
      .replace(/^(npm run simulate.*?)( --operations \d+)?$/, "$1 --operations 1");

  const commandsIn = (file: string): string[] =>
    textsOf(typed.filter((command) => command.file === file && !SERVER.test(command.text))).filter(
      (text) => !SYNTHESIS.test(text),
    );

  it("set up a site that works, by docs/deploy.md", async () => {
    // What AWS answers for a stack.
    const output = `output() { case $1 in BaseUrl) echo ${server.baseUrl} ;; *) echo ${ORIGIN} ;; esac; }`;
    const printed = await terminal.type([output, ...commandsIn("docs/deploy.md").map(here)], env);
    expect(printed.match(/20 passed, 0 failed, 0 not run/g)).toHaveLength(2);
    const body = { email: "you@example.com", password: PASSWORD };
    env.TOKEN = (await call(server.baseUrl, "POST", "/auth/login", { body })).body.user.authToken;
    const key = { name: "Help desk", scopes: ["post:create"] };
    env.SECRET = (await call(server.baseUrl, "POST", "/keys", { token: env.TOKEN, body: key })).body.secret;
  });

  const others = documents.filter((file) => file !== "docs/deploy.md" && commandsIn(file).length > 0);

  it.each(others)("succeed one after the other: %s", async (file) => {
    // Two that differ in their length alone are one here.
    await terminal.type([...new Set(commandsIn(file).map(here))], env);
  });
});
