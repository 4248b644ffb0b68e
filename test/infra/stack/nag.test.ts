import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { App } from "aws-cdk-lib";
import { describe, expect, it } from "vitest";
import { aFolder, compileCache } from "../../support/process/server-process.ts";
import { bundled, withBundles, withoutNetwork } from "../../support/stack/bundles.ts";
import { acknowledge, acknowledgedIn, addChecks } from "../../support/stack/nag.ts";
import { chosen, flags, localContext, withApp } from "../../support/stack/stack.ts";

type Report = { pluginReports: { pluginName: string; violations: { ruleName: string; severity: string }[] }[] };

function findingsOf(outdir: string): string[] {
  const file = join(outdir, "validation-report.json");
  const { pluginReports } = (
    existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { pluginReports: [] }
  ) as Report;
  const packs = pluginReports.filter(({ pluginName }) => pluginName !== "Construct Annotations");
  return [...new Set(packs.flatMap(({ violations }) => violations.map(({ ruleName }) => ruleName)))].sort();
}

/** The findings of a synthesis. It must not set the exit code of the tests. */
function check(app: App): string[] {
  const { exitCode } = process;
  try {
    app.synth();
  } catch {
    // The report says why.
  } finally {
    process.exitCode = exitCode;
  }
  return findingsOf(app.outdir);
}

describe("cdk-nag (AwsSolutions and Serverless)", () => {
  const restoredTableArn = "arn:aws:dynamodb:eu-central-1:123456789012:table/restored";

  it.each([
    ["without a context", {}],
    ["with every value chosen and wide rights", { ...chosen, leadingKeys: "off" }],
    [
      "with a portal on a restored table",
      { portal: "true", restoredTableArn, restoredStreamArn: `${restoredTableArn}/stream/2026-01-01T00:00:00.000` },
    ],
    ["for sam local", localContext],
  ])("finds only acknowledged problems in a stack %s", (_, context) => {
    withApp(context, {}, ({ app, stack }) => {
      addChecks(app);
      acknowledge(stack);
      expect(check(app)).toEqual([]);
    });
  });

  it("finds each acknowledged problem in a stack that acknowledges none", () => {
    withApp({}, {}, ({ app, stack }) => {
      addChecks(app);
      expect(check(app)).toEqual(
        acknowledgedIn(stack)
          .map(({ id }) => id)
          .sort(),
      );
    });
  });
});

describe("infra/stack/app.ts", () => {
  it("synthesises with an empty environment and no network", async () => {
    await bundled();
    const outdir = aFolder();
    // The cdk CLI passes the folder and the context of cdk.json. Node's compile cache does not change the result.
    const env = { CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(flags), ...compileCache };
    const words = [...withoutNetwork, ...withBundles, "infra/stack/app.ts"];
    execFileSync(process.execPath, words, { env, stdio: "pipe" });
    const { Resources } = JSON.parse(readFileSync(join(outdir, "FeedbackBoard-dev.template.json"), "utf8"));
    expect(Object.keys(Resources).length).toBeGreaterThan(100);
  });
});
