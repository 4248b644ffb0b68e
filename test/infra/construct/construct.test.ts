import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { aFolder, compileCache, projectFolder } from "../../support/process/server-process.ts";
import { bundled, withBundles } from "../../support/stack/bundles.ts";
import { functionsOf, propertiesOf, type Template, templateOf } from "../../support/stack/stack.ts";

// The packed construct in a CDK app of a stranger, who has the CDK and the package, and nothing else of ours.

const app = join(aFolder(), "app");

function documented(): string {
  const [, section = ""] = readFileSync("docs/deploy.md", "utf8").split("## In a CDK app of your own\n");
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(section) ?? [];
  return code;
}

const WRONG = `
import { App, Stack } from "aws-cdk-lib";
import { FeedbackBoard } from "feedback-board-cdk";
// @ts-expect-error no such property
new FeedbackBoard(new Stack(new App()), "Board", { colour: "red" });
// @ts-expect-error a number
new FeedbackBoard(new Stack(new App()), "Board", { readsPerSecond: "10" });
`;

function run(command: string, words: string[], env: Record<string, string> = {}): string {
  const options = {
    cwd: app,
    env: { PATH: process.env.PATH, HOME: app, ...compileCache, ...env },
    encoding: "utf8",
  } as const;
  return execFileSync(command, words, options);
}

/** Runs a program of the app as the CDK's command does. */
function synthesise(file: string): Template {
  const CDK_OUTDIR = join(app, "cdk.out");
  run(process.execPath, [file], { CDK_OUTDIR, CDK_VALIDATION: "false" });
  return JSON.parse(readFileSync(join(CDK_OUTDIR, "Acme.template.json"), "utf8"));
}

beforeAll(async () => {
  await bundled();
  const NODE_OPTIONS = withBundles.join(" ");
  const printed = execFileSync("npm", ["run", "construct"], {
    env: { ...process.env, NODE_OPTIONS },
    encoding: "utf8",
  });
  const [packed = ""] = /\S+\.tgz/.exec(printed) ?? [];
  mkdirSync(join(app, "node_modules"), { recursive: true });
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "acme", private: true, type: "module" }));
  run("npm", ["install", packed, "--offline", "--legacy-peer-deps"]);
  for (const name of ["aws-cdk-lib", "constructs", "@types"]) {
    symlinkSync(join(projectFolder, "node_modules", name), join(app, "node_modules", name));
  }
  writeFileSync(join(app, "app.ts"), documented());
  writeFileSync(join(app, "wrong.ts"), WRONG);
});

describe("The packed construct", () => {
  it("becomes the service and the portal in the stack of another app", () => {
    const template = synthesise("app.ts");
    expect(Object.keys(functionsOf(template, "feedback-board-wishes-")).sort()).toEqual(
      expect.arrayContaining(["votes-add", "posts-list", "send", "keep", "portal", "cards"]),
    );
    const types = (from: Template) =>
      Object.values(from.Resources)
        .map(({ Type }) => Type)
        .sort();
    const own = templateOf({ portal: "true", mail: "none", setupCode: "open sesame", stageName: "wishes" });
    // An output of the app is not a resource.
    expect(types(template)).toEqual(types(own));
    expect(propertiesOf(template, "AWS::DynamoDB::Table").DeletionProtectionEnabled).toBe(true);
    expect(Object.keys(template.Outputs)).toContain("Wishes");
  });

  it("names a wrong property in one line", () => {
    const wrong = documented().replace('mail: "none"', 'mail: "none", mailFrom: "a@example.com"');
    writeFileSync(join(app, "unhappy.ts"), wrong);
    expect(() => synthesise("unhappy.ts")).toThrow("mail=none is for a site that mails nothing");
  });

  it("has types for its properties, and no others", () => {
    const compilerOptions = { module: "nodenext", target: "es2024", strict: true, noEmit: true, types: ["node"] };
    const files = ["app.ts", "wrong.ts"];
    writeFileSync(
      join(app, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...compilerOptions, skipLibCheck: true }, files }),
    );
    run(join(projectFolder, "node_modules/.bin/tsc"), ["-p", app]);
  });
});
