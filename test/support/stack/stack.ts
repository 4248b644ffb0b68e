import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { documentFunctions } from "../../../functions/documents/index.ts";
import { groups } from "../../../functions/index.ts";
import { scheduledFunctions } from "../../../functions/scheduled/index.ts";
import { type FeedbackBoardProps, FeedbackBoardStack } from "../../../infra/stack/stack.ts";
import type { Statement } from "./iam.ts";

/** A resource of a template. */
// biome-ignore lint/suspicious/noExplicitAny: templates are read, not typed
export type Resource = { Type: string; Properties: any; DependsOn?: string[]; Metadata?: Record<string, unknown> };

/** A template as CloudFormation gets it. */
// biome-ignore lint/suspicious/noExplicitAny: templates are read, not typed
export type Template = { Resources: Record<string, Resource>; Outputs: Record<string, { Value: any }> };

// The CDK validates each template, which takes longer than making it: one test is enough for that (checks.test.ts), in a process of
// its own.
process.env.CDK_VALIDATION = "false";

/** What the project's cdk.json says: flags that change what is synthesised. */
export const flags: Record<string, unknown> = JSON.parse(readFileSync("cdk.json", "utf8")).context;

const folders: string[] = [];

/** Removes what the synthesis of a test file left behind. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  bundles = undefined;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "feedback-board-stack-"));
  folders.push(folder);
  return folder;
}

let bundles: string | undefined;

/** A folder with an empty function of each name, in place of bundles. */
function emptyBundles(names: string[]): string {
  bundles ??= newFolder();
  const folder = bundles;
  for (const name of names) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "index.mjs"), "export const handler = async () => {};\n");
  }
  return folder;
}

/** An app that holds the stack, not synthesised yet; deployed as `stageName` of the context. */
export function anApp(
  context: Record<string, unknown> = {},
  props: Omit<FeedbackBoardProps, "bundles"> = {},
): { app: App; stack: FeedbackBoardStack } {
  const app = new App({ context: { ...flags, ...context }, outdir: newFolder() });
  const background = (props.backgroundFunctions ?? backgroundFunctions).map(({ definition }) => definition);
  const behind = [...(props.groups ?? groups), ...background].map(({ name }) => name);
  const names = [...behind, ...scheduledFunctions, ...Object.keys(documentFunctions)];
  return { app, stack: new FeedbackBoardStack(app, "FeedbackBoard", { ...props, bundles: emptyBundles(names) }) };
}

/** The template of a stack. */
export function templateOf({ app, stack }: { app: App; stack: FeedbackBoardStack }): Template {
  return app.synth().getStackByName(stack.stackName).template as Template;
}

/** The resources of a type, by their logical ids. */
export function resourcesOf({ Resources }: Template, type: string): Record<string, Resource> {
  return Object.fromEntries(Object.entries(Resources).filter(([, { Type }]) => Type === type));
}

/** A function of the stack with the statements of its role, its own ones and those of the policies that it shares. */
export type Deployed = { id: string; properties: Resource["Properties"]; statements: Statement[]; shared: Statement[] };

/** The functions of a stack by the names of their definitions. */
export function functionsOf(template: Template, prefix = "feedback-board-dev-"): Record<string, Deployed> {
  return Object.fromEntries(
    Object.entries(resourcesOf(template, "AWS::Lambda::Function")).map(([id, { Properties }]) => {
      const role = template.Resources[Properties.Role["Fn::GetAtt"][0]]?.Properties;
      const shared = (role.ManagedPolicyArns ?? []).map(
        ({ Ref }: { Ref: string }) => template.Resources[Ref]?.Properties.PolicyDocument.Statement,
      );
      const statements = role.Policies.flatMap(
        (policy: { PolicyDocument: { Statement: Statement[] } }) => policy.PolicyDocument.Statement,
      );
      const name = Properties.FunctionName.slice(prefix.length);
      return [name, { id, properties: Properties, statements, shared: shared.flat() }];
    }),
  );
}

/** The resource that a policy names the table by. */
export function tableArnOf(template: Template): unknown {
  return {
    "Fn::GetAtt": [Object.keys(resourcesOf(template, "AWS::DynamoDB::Table"))[0], "Arn"],
  };
}
