import fs from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { documentFunctions } from "../../../functions/documents/index.ts";
import { endpoints, groups } from "../../../functions/index.ts";
import { scheduledFunctions } from "../../../functions/scheduled/index.ts";
import { type Bundle, bundleAll, entryFiles } from "../../../infra/bundle/bundle.ts";
import { STUBS } from "../../../infra/bundle/plugins.ts";
import { exampleStreamEvent } from "../../../infra/local/events.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import { takenBy } from "../../../lib/background.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import { newestVersion } from "../../../lib/migrations/index.ts";
import { status } from "../../../lib/migrations/migrate.ts";
import * as due from "../../../lib/table/due.ts";
import type { Family } from "../../../lib/table/families.ts";
import { newId } from "../../../lib/values/ids.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { hashAtFullCost } from "../../support/cheap-hashes.ts";
import { endpointNamed, eventOf } from "../../support/http/invoke.ts";
import { withBundle } from "../../support/process/lambda-process.ts";
import { type MailService, startMailService } from "../../support/process/mail-service.ts";
import { SecretsManager } from "../../support/process/secrets-manager.ts";
import { aFolder } from "../../support/process/server-process.ts";
import { freshTable, newContainer } from "../../support/setup.ts";
import { bundled } from "../../support/stack/bundles.ts";
import { aWorld, exampleOf, goodRequest } from "../../support/world/examples.ts";
import { aMember, anAccount, aPost, aVote } from "../../support/world/fixtures.ts";

// Raise it only with a reason in docs/costs.md#the-functions.
const MAX_BYTES = 311_000;
const MAX_BYTES_OF: Record<string, number> = {
  users: 318_000,
  moderation: 320_000,
  keep: 329_000,
  "posts-write": 328_000,
  send: 507_000,
  openapi: 430_000,
};

// All functions are bundled: seconds on an idle machine, a minute on a busy one.
vi.setConfig({ hookTimeout: 300_000, testTimeout: 300_000 });

let bundles: Bundle[] = [];

beforeAll(async () => {
  bundles = await bundled();
});

function packageOf(input: string): string | undefined {
  const [, inside] = /.*node_modules\/(.+)$/.exec(input) ?? [];
  return inside?.startsWith("@") ? inside.split("/").slice(0, 2).join("/") : inside?.split("/")[0];
}

function packagesOf({ inputs }: Bundle): string[] {
  const used = Object.keys(inputs).filter((input) => (inputs[input] ?? 0) > 0);
  return [...new Set(used.map(packageOf).filter((name) => name !== undefined))].sort();
}

describe("bundles", () => {
  it("consist of one file for each function, with source maps in another folder", () => {
    const defined = [...groups, ...backgroundFunctions.map(({ definition }) => definition)].map(({ name }) => name);
    const names = [...defined, ...scheduledFunctions, ...Object.keys(documentFunctions)].sort();
    expect(bundles.map(({ name }) => name).sort()).toEqual(names);
    // The stack adds the pages: infra/stack/app.ts.
    const made = fs.readdirSync("dist/functions").filter((name) => !["portal", "portal-files", "cards"].includes(name));
    expect(made.sort()).toEqual(names);
    for (const name of names) expect(fs.readdirSync(join("dist/functions", name))).toEqual(["index.mjs"]);
    expect(fs.readdirSync("dist/functions-maps").sort()).toEqual(names.map((name) => `${name}.map`).sort());
  });

  it("hold at most 311,000 bytes each, and six of them more", () => {
    expect(
      bundles.filter(({ name, bytes }) => bytes > (MAX_BYTES_OF[name] ?? MAX_BYTES)).map(({ name }) => name),
    ).toEqual([]);
  });

  it("contain the code of their own functions, and none of tests, the stack or tools", () => {
    const tools = Object.keys(packageJson.devDependencies);
    const entries = entryFiles();
    const fileOf = ({ definition: { name } }: Endpoint) => `functions/${name.replace("-", "/")}.ts`;
    const allowed = (name: string) => {
      const members = groups.find((group) => group.name === name)?.endpoints.map(fileOf) ?? [];
      const documents = name === "openapi" ? [`docs/${name}.json`] : [];
      const works = backgroundFunctions.find(({ definition }) => definition.name === name)?.definition.works ?? [];
      const ofWorks = works.map(({ definition }) => `functions/background/${definition.name}.ts`);
      const entry = entries[name]?.startsWith("group:") ? [] : [entries[name]];
      return [...new Set([...entry, ...members, ...documents, ...ofWorks])].sort();
    };
    for (const bundle of bundles) {
      const own = Object.keys(bundle.inputs).filter((input) => packageOf(input) === undefined);
      const ofFunctions = own.filter((input) => !input.startsWith("lib/") && !input.includes(":"));
      expect(ofFunctions.sort()).toEqual(allowed(bundle.name));
      expect(packagesOf(bundle).filter((name) => tools.includes(name))).toEqual([]);
    }
  });

  it("contain the list of common passwords only where a function sets a password", () => {
    const holding = bundles.filter(({ inputs }) => (inputs["lib/auth/common-passwords.json"] ?? 0) > 0);
    expect(holding.map(({ name }) => name).sort()).toEqual([
      "auth-password-set",
      "auth-set-up",
      "auth-sign-up",
      "users-change-password",
    ]);
  });

  it("contain nothing that only a developer's machine runs", () => {
    const files = bundles.flatMap(({ inputs }) => Object.keys(inputs));
    expect(files.filter((file) => file.startsWith("infra/local/"))).toEqual([]);
  });

  it("contain the door to foreign servers only where a function calls them, and no other way out", () => {
    const holding = (file: string) => bundles.filter(({ inputs }) => (inputs[file] ?? 0) > 0).map(({ name }) => name);
    const calling = groups.filter(({ endpoints }) => endpoints.some(({ definition }) => definition.callsProviders));
    expect(holding("lib/outgoing/door.ts").sort()).toEqual(["deliver", ...calling.map(({ name }) => name)].sort());
    expect(calling.map(({ name }) => name).sort()).toEqual(["auth-oidc", "provider-sign-ins"]);
    // Requests of a module to servers, of which the SDK's own go to AWS.
    const wayOut = /\bfetch\(|\* as \w+ from "node:(https?|http2|net|tls|dns|dgram)"/;
    const used = bundles.flatMap(({ inputs }) => Object.keys(inputs).filter((input) => (inputs[input] ?? 0) > 0));
    const files = [...new Set(used)].filter((input) => fs.existsSync(input) && !input.includes("node_modules/@"));
    const leading = files.filter((file) => wayOut.test(fs.readFileSync(file, "utf8")));
    expect(leading.sort()).toEqual([
      // The bucket of exports, by an address of the environment.
      "lib/moving/bucket.ts",
      "lib/outgoing/door.ts",
      "lib/runtime/http-handler.ts",
      // Lambda's API, by an address of the environment.
      "lib/webhooks/call-deliver.ts",
    ]);
  });

  it("contain the clients of SES and Secrets Manager only where a function uses them", () => {
    const holding = (name: string) => bundles.filter((each) => packagesOf(each).includes(name)).map(({ name }) => name);
    expect(holding("@aws-sdk/client-sesv2")).toEqual(["send"]);
    for (const { definition } of backgroundFunctions) {
      expect(holding("@aws-sdk/client-secrets-manager")).not.toContain(definition.name);
    }
  });

  it.each(Object.keys(STUBS))("hold a stub in the place of %s", (module) => {
    expect(fs.existsSync(join("node_modules", module)), "the module has another path now").toBe(true);
    for (const { name, inputs } of bundles) {
      const found = Object.keys(inputs).find((input) => input.endsWith(`node_modules/${module}`)) ?? "";
      expect(inputs[found] ?? 0, name).toBeLessThan(500);
    }
  });

  it("hold the same bytes after a second build, in another folder with old files", async () => {
    const place = join(aFolder(), "second", "place");
    const [first] = bundles as [Bundle];
    const stale = [`${first.name}/more.mjs`, "gone/index.mjs"];
    for (const file of [`${first.name}/index.mjs`, ...stale]) {
      fs.mkdirSync(dirname(join(place, file)), { recursive: true });
      fs.writeFileSync(join(place, file), "stale", { mode: 0o600 });
    }
    // A sample, so that each bundle is built together with others than before.
    const sample = Object.entries(entryFiles()).filter((_, index) => index % 8 === 0);
    for (const { name, file } of await bundleAll(place, Object.fromEntries(sample))) {
      const before = bundles.find((bundle) => bundle.name === name)?.file ?? "";
      expect(fs.readFileSync(file).equals(fs.readFileSync(before)), name).toBe(true);
      // The mode is deployed too, and Lambda reads the file as another user.
      expect(fs.statSync(file).mode & 0o777).toBe(0o644);
    }
    expect(fs.readdirSync(place).sort()).toEqual(sample.map(([name]) => name).sort());
    expect(stale.filter((file) => fs.existsSync(join(place, file)))).toEqual([]);
  });
});

describe("bundles in a process like Lambda's", () => {
  const secrets = new SecretsManager();
  let mails: MailService;
  let environment: () => NodeJS.ProcessEnv;

  beforeAll(async () => {
    mails = await startMailService();
    const keys = await secrets.start();
    newContainer(keys);
    hashAtFullCost();
    // Credentials come from the environment, and endpoints from variables of the SDK, so that the code takes the paths
    // that it takes in the cloud.
    environment = () => ({
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
      AWS_SECRET_ACCESS_KEY: "secret",
      AWS_SESSION_TOKEN: "session",
      AWS_ENDPOINT_URL_DYNAMODB: process.env.DYNAMODB_ENDPOINT,
      ...keys,
      AWS_ENDPOINT_URL_SESV2: mails.url,
      TABLE_NAME: process.env.TABLE_NAME,
      MAIL_TRANSPORT: "ses",
      MAIL_FROM: "board@example.com",
      WEBHOOK_PRIVATE_TARGETS: "on",
      EXPORT_FOLDER: process.env.EXPORT_FOLDER,
    });
  });

  const started = <T>(name: string, work: Parameters<typeof withBundle<T>>[2]) =>
    withBundle(bundles.find((bundle) => bundle.name === name)?.file ?? "", environment(), work);

  it("answer a request to each endpoint, with keys from Secrets Manager and data from the table", async () => {
    const account = { email: "owner@example.com", password: "correct horse" };
    const event = eventOf(endpointNamed("auth-set-up"), { body: account });
    const setUp = await started("auth-set-up", (call) => call(event));
    expect(setUp.statusCode).toBe(201);
    await freshTable();
    const world = await aWorld();

    const left = groups.values();
    const answered: string[] = [];
    const work = async () => {
      for (const { name, endpoints } of left) {
        await started(name, async (call) => {
          for (const endpoint of endpoints) {
            const { statusCode, body } = await call(eventOf(endpoint, await goodRequest(endpoint, world)));
            const { name, success } = endpoint.definition;
            const { answers } = exampleOf(endpoint);
            if (answers) expect(JSON.parse(body).code, name).toBe(answers);
            else expect(statusCode, `${name}: ${body}`).toBe(success);
            answered.push(name);
          }
        });
      }
    };
    await Promise.all([work(), work()]);
    expect(answered.sort()).toEqual(endpoints.map(({ definition }) => definition.name).sort());
    expect(secrets.requests).toBeGreaterThan(0);
  });

  it("carry out the work of each background function and each scheduled function", async () => {
    const author = await aMember();
    const { postId } = await aPost(author);
    await aVote(postId, author);
    const { email: to } = await anAccount("a password of that account", { welcome: true });
    const waiting: Partial<Record<Family, string>> = {
      OUTBOX: (await outbox.waiting()).find((each) => each.to === to)?.sk as string,
      DELETED: postId,
      // A job that has been done already.
      RENAMES: newId(),
      ERASURES: newId(),
      EXPORTS: newId(),
      MERGES: newId(),
      COUNTING: "FIGURES",
      NEWS: postId,
      EVENTS: postId,
      NOTICES: newId(),
      POSTS: postId,
    };
    for (const { definition } of backgroundFunctions) {
      const families = takenBy(definition.works);
      for (const family of families) expect(waiting[family], family).toBeDefined();
      await started(definition.name, async (call) => {
        const handOver = () => call(exampleStreamEvent(definition, waiting));
        await expect.poll(handOver).toEqual({ batchItemFailures: [] });
        // On a busy machine the store may not answer in time. Such work is put off, and taken up by the call of a later
        // minute.
        const entriesAfterAMinute = async () => {
          const entries = async () => (await Promise.all(families.map(due.entriesOf))).flat();
          for (const entry of await entries()) await due.retry(entry);
          expect(await call({ time: "2026-01-01T00:01:00Z" })).toEqual({ batchItemFailures: [] });
          return entries();
        };
        await expect.poll(entriesAfterAMinute).toEqual([]);
      });
    }
    const step = { Step: "setSecret", SecretId: SecretsManager.ARN, ClientRequestToken: "version", settleSeconds: 0 };
    for (const name of scheduledFunctions) {
      await expect.poll(() => started(name, (call) => call(step))).toBeUndefined();
    }
    // A call that runs out of time is continued by the next one.
    const migrated = async () => {
      await started("migrate", (call) => call(step));
      return status();
    };
    await expect.poll(migrated).toEqual({ version: newestVersion(), items: 0 });
    expect(mails.taken).toContain(to);
    expect((await outbox.waiting()).map((each) => each.to)).not.toContain(to);
  });
});
