import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { groups } from "../../../functions/index.ts";
import { reachOf } from "../../../infra/local/sam.ts";
import { LOCAL_TABLE_NAME } from "../../../infra/stack/parts.ts";
import { variableNames } from "../../../lib/runtime/environment.ts";
import { endpointNamed, eventOf } from "../../support/http/invoke.ts";
import { withBundle } from "../../support/process/lambda-process.ts";
import * as servers from "../../support/process/server-process.ts";
import { bundled, withBundles } from "../../support/stack/bundles.ts";

/** A folder for the PATH, with commands that print a text, or print an error and fail. */
function commands(texts: Record<string, string | { complaint: string }>): string {
  const folder = join(servers.aFolder(), "bin");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(texts)) {
    const script = typeof text === "string" ? `echo '${text}'` : `echo '${text.complaint}' >&2; exit 1`;
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

function sam(path: string, data: string, settings: Record<string, string> = {}): servers.ServerProcess {
  return servers.spawnServer({
    command: [process.execPath, "infra/local/sam.ts"],
    env: { PATH: path, NODE_OPTIONS: withBundles.join(" "), DATA_DIR: data, ENGINE_PORT: "0", ...settings },
  });
}

const VERSION = "SAM CLI, version 1.164.0";

describe("npm run sam without its tools", () => {
  it.each([
    ["sam", {}],
    ["docker", { sam: VERSION, docker: { complaint: "no daemon" } }],
  ])("names %s and the places to get the tools: %j", async (missing, found) => {
    const { ended, complaints } = sam(commands(found), servers.aFolder());
    expect(await ended).toBe(1);
    expect(complaints()).toMatch(/https:\/\/docs\.aws\S+sam-cli\.html\n +https:\/\/docs\.docker\.com\S+\n/);
    expect(complaints()).toMatch(new RegExp(`^${missing} failed: .*(${missing}|no daemon)`, "m"));
  });
});

describe("The engine for sam local", () => {
  it("listens on the address of Docker's bridge, if this machine has it", () => {
    const own = ["127.0.0.1", "192.0.2.7", "172.17.0.1", "::1"];
    expect(reachOf(["fd00::1", "172.17.0.1"], own)).toEqual({ host: "172.17.0.1", from: "172.17.0.1" });
  });

  it("listens on the loopback, if Docker runs in a virtual machine", () => {
    const reach = { host: "127.0.0.1", from: "host.docker.internal" };
    expect(reachOf(["172.17.0.1"], ["127.0.0.1", "192.0.2.7"])).toEqual(reach);
    expect(reachOf([""], ["127.0.0.1"])).toEqual(reach);
  });
});

type Resource = {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: resources of every shape
  Properties: any;
  Metadata?: Record<string, string>;
};

describe("npm run sam with the SAM CLI and Docker", () => {
  // The bridge's gateway is the loopback, an address that every machine has.
  const path = commands({ sam: VERSION, docker: "127.0.0.1 " });
  const data = servers.aFolder();
  const settings = { SITE_URL: "https://feedback.example.com", TOKEN_LIFETIME_SECONDS: "3600" };
  let server: servers.ServerProcess;
  let template: string;
  let resources: Record<string, Resource>;
  let given: Record<string, string>;

  beforeAll(async () => {
    await bundled();
    // As npm start leaves it after a stop in order.
    writeFileSync(join(data, "changed-posts"), "these are all\n");
    server = sam(path, data, settings);
    await servers.eventually(() => expect(server.output()).toContain("Ctrl-C stops the engine."));
    template = /--template (\S+)/.exec(server.output())?.[1] ?? "";
    resources = JSON.parse(readFileSync(template, "utf8")).Resources;
    given = JSON.parse(readFileSync(/--env-vars (\S+)/.exec(server.output())?.[1] ?? "", "utf8")).Parameters;
  });

  const ofType = (type: string): [string, Resource][] =>
    Object.entries(resources).filter(([, { Type }]) => Type === type);

  // The rules by which SAM reads a template of the CDK: the name of a function, its code, its routes.
  const functionNameOf = ({ Metadata }: Resource): string | undefined => {
    const parts = Metadata?.["aws:cdk:path"]?.split("/") ?? [];
    return parts.length === 3 ? parts[1] : undefined;
  };

  const bundleOf = ({ Metadata }: Resource): string =>
    resolve(dirname(template), Metadata?.["aws:asset:path"] ?? "", "index.mjs");

  const ourFunctions = (): Map<string, Resource> =>
    new Map(ofType("AWS::Lambda::Function").map(([, resource]) => [functionNameOf(resource) ?? "unnamed", resource]));

  it("lets the next npm start check all posts, because containers note none that they change", () => {
    expect(readFileSync(join(data, "changed-posts"), "utf8")).toBe("");
  });

  it("names each function, with code, runtime and this machine's architecture", () => {
    const names = [...groups, ...backgroundFunctions.map(({ definition }) => definition)].map(({ name }) => name);
    expect([...ourFunctions().keys()].sort()).toEqual(names.sort());
    for (const [name, resource] of ourFunctions()) {
      expect(resource.Metadata?.["aws:asset:property"], name).toBe("Code");
      // What `npm run sam -- --bundle` writes: no copy, so that a change needs nothing else.
      expect(bundleOf(resource)).toBe(join(servers.projectFolder, "dist/functions", name, "index.mjs"));
      expect(existsSync(bundleOf(resource)), name).toBe(true);
      expect(statSync(bundleOf(resource)).mode & 0o444, name).toBe(0o444);
      expect(resource.Properties).toMatchObject({
        Runtime: "nodejs24.x",
        Handler: "index.handler",
        Architectures: [process.arch === "arm64" ? "arm64" : "x86_64"],
      });
    }
  });

  it("writes a template of what SAM reads, without references to other resources", () => {
    const types = new Set(Object.values(resources).map(({ Type }) => Type));
    const ofApi = ["Api", "Integration", "Route", "Stage"].map((name) => `AWS::ApiGatewayV2::${name}`);
    expect([...types].sort()).toEqual([...ofApi, "AWS::Lambda::Function"]);
    for (const { Type, Metadata } of Object.values(resources)) {
      // SAM says so of each path that is not `<stack>/<function>/Resource`.
      const parts = Metadata?.["aws:cdk:path"]?.split("/").length;
      expect(parts, Type).toEqual(Type === "AWS::Lambda::Function" ? 3 : undefined);
    }
    const text = readFileSync(template, "utf8");
    const referred = [...text.matchAll(/"(?:Ref|Fn::GetAtt)":\s*\[?\s*"([^"]+)"/g)].map(([, id]) => id);
    expect(referred.length).toBeGreaterThan(100);
    expect(Object.keys(resources)).toEqual(expect.arrayContaining([...new Set(referred)]));
    // No copies of the bundles beside it.
    expect(readdirSync(dirname(template))).toEqual(["template.json"]);
  });

  it("declares every setting that a function reads, and sets the given ones in the env file", () => {
    const always = ["TABLE_NAME", "DYNAMODB_ENDPOINT", "SIGNING_SECRET", "MAIL_TRANSPORT"];
    expect(Object.keys(given).sort()).toEqual([...always, ...Object.keys(settings)].sort());
    expect(given).toMatchObject({ ...settings, TABLE_NAME: LOCAL_TABLE_NAME, MAIL_TRANSPORT: "log" });
    // The region is SAM's, the secret is given as it is, mails leave from this process, and nothing is before it.
    // Nothing stores exports there.
    const ofOthers = ["AWS_REGION", "SIGNING_SECRET_ARN", "MAIL_LOG_FILE", "PORTAL_KEY", "DELIVER_URL"];
    const elsewhere = [...ofOthers, "WEBHOOK_PRIVATE_TARGETS", "EXPORT_BUCKET_URL", "EXPORT_FOLDER"];
    for (const [name, { Properties }] of ourFunctions()) {
      for (const variable of variableNames()) {
        const type = elsewhere.includes(variable) ? "undefined" : "string";
        expect(typeof Properties.Environment.Variables[variable], `${name} ${variable}`).toEqual(type);
      }
    }
  });

  it("prints the command that starts the API, and keeps the secret to its owner", () => {
    const { SIGNING_SECRET = "" } = given;
    expect(server.output()).toMatch(
      /^sam local start-api --port 3000 --warm-containers LAZY --template \S+ --env-vars \S+$/m,
    );
    expect(server.output()).toMatch(/503 SERVER_ERROR: a firewall .* 127\.0\.0\.1, port \d+\.$/m);
    expect(SIGNING_SECRET.length).toBeGreaterThanOrEqual(32);
    expect(server.output()).not.toContain(SIGNING_SECRET);
    expect(readFileSync(template, "utf8")).not.toContain(SIGNING_SECRET);
    expect(statSync(join(data, "sam-settings.json")).mode & 0o077).toBe(0);
  });

  it("serves functions in containers, and does their background work", async () => {
    const run = async (name: string, request: Parameters<typeof eventOf>[1]) => {
      const resource = ourFunctions().get(name) as Resource;
      // SAM gives a container the declared variables, with the values of the env file.
      const env = { AWS_REGION: "us-east-1", ...resource.Properties.Environment.Variables, ...given };
      const answer = await withBundle(bundleOf(resource), env, (call) =>
        call(eventOf(endpointNamed(name), request, "sam")),
      );
      return { status: answer.statusCode, body: JSON.parse(answer.body) };
    };
    const account = { email: "ada@example.com", password: "correct horse" };
    const signedUp = await run("auth-sign-up", { body: account });
    expect(signedUp.status).toBe(201);
    const token: string = signedUp.body.user.authToken;
    const { iat, exp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(exp - iat).toBe(Number(settings.TOKEN_LIFETIME_SECONDS));
    expect(await run("posts-create", { token, body: { title: "Dark mode" } })).toMatchObject({ status: 201 });
    expect((await run("posts-list", {})).body.posts).toHaveLength(1);
    await servers.eventually(() => expect(readFileSync(join(data, "mail.jsonl"), "utf8")).toContain(account.email));
    expect(readFileSync(join(data, "mail.jsonl"), "utf8")).toContain(settings.SITE_URL);
  });

  it("stops on Ctrl-C, with its engine", async () => {
    expect(servers.enginesOn(data)).toHaveLength(1);
    server.process.kill("SIGINT");
    expect(await server.ended).toBe(0);
    expect(servers.enginesOn(data)).toEqual([]);
  });
});
