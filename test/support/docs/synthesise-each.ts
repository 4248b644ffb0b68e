// Starts infra/stack/app.ts of this folder as the CDK's command does, once for each context that the first argument
// lists. One process for all of them: loading the CDK takes longer than a synthesis.
import { readFileSync } from "node:fs";

const { context: flags } = JSON.parse(readFileSync("cdk.json", "utf8"));
const contexts: object[] = JSON.parse(process.argv[2] ?? "[]");

// One folder for all, so that the functions are copied there once.
process.env.CDK_OUTDIR = "cdk.out/each";
for (const [number, context] of contexts.entries()) {
  process.env.CDK_CONTEXT_JSON = JSON.stringify({ ...flags, ...context });
  await import(`../../../infra/stack/app.ts?${number}`).catch((error) => {
    throw new Error(`with ${JSON.stringify(context)}: ${error.message}`);
  });
}
