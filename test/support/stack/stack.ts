import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, type StackProps } from "aws-cdk-lib";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { documentFunctions } from "../../../functions/documents/index.ts";
import { groups } from "../../../functions/index.ts";
import { scheduledFunctions } from "../../../functions/scheduled/index.ts";
import type { Parts } from "../../../infra/stack/parts.ts";
import { PORTAL_FILES } from "../../../infra/stack/portal-files.ts";
import { FeedbackBoardStack } from "../../../infra/stack/stack.ts";
import { madeBefore } from "../once.ts";
import type { Statement } from "./iam.ts";

// biome-ignore lint/suspicious/noExplicitAny: templates are read, not typed
export type Resource = { Type: string; Properties: any; DependsOn?: string[]; Metadata?: Record<string, unknown> };

/** A template as CloudFormation gets it. */
// biome-ignore lint/suspicious/noExplicitAny: templates are read, not typed
export type Template = { Resources: Record<string, Resource>; Outputs: Record<string, { Value: any }> };

// Validating a template takes longer than making it: nag.test.ts does it in a process of its own.
process.env.CDK_VALIDATION = "false";
// A tenth of a synthesis notes where each construct was made.
process.env.CDK_DISABLE_STACK_TRACE = "true";

/** The context of the project's cdk.json: flags that change the synthesis. */
export const flags: Record<string, unknown> = JSON.parse(readFileSync("cdk.json", "utf8")).context;

/** The context of a deployment that chooses every value but its name. */
export const chosen = {
  allowedOrigins: "https://a.example, http://localhost:5173",
  mailFrom: "Feedback <feedback@example.com>",
  siteUrl: "https://feedback.example.com",
  alarmEmail: "someone@example.com",
  requireVerified: "true",
  commonPasswords: "allow",
  setupCode: "open sesame",
  leadingKeys: "on",
  maxReadUnits: "7",
  maxWriteUnits: "8",
  signInsPerSecond: "91",
  writesPerSecond: "92",
  readsPerSecond: "93",
  reservedConcurrency: "4",
  dailyBudget: "25",
};

export const localContext = {
  local: "true",
  "aws:cdk:enable-asset-metadata": true,
  "aws:cdk:enable-path-metadata": true,
};

type Props = StackProps & Omit<Parts, "bundles">;
type Deployed = { app: App; stack: FeedbackBoardStack };

/** Uses an app with the stack, with empty functions instead of bundles, in a folder that is removed afterwards. */
export function withApp<T>(context: Record<string, unknown>, props: Props, use: (deployed: Deployed) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "feedback-board-stack-"));
  const bundles = join(folder, "bundles");
  const background = (props.backgroundFunctions ?? backgroundFunctions).map(({ definition }) => definition);
  const named = [...(props.groups ?? groups), ...background].map(({ name }) => name);
  for (const name of [...named, ...scheduledFunctions, ...Object.keys(documentFunctions), "portal", "cards"]) {
    mkdirSync(join(bundles, name), { recursive: true });
    writeFileSync(join(bundles, name, "index.mjs"), "export const handler = async () => {};\n");
  }
  mkdirSync(join(bundles, PORTAL_FILES));
  try {
    const app = new App({ context: { ...flags, ...context }, outdir: join(folder, "out") });
    return use({ app, stack: new FeedbackBoardStack(app, "FeedbackBoard", { ...props, bundles }) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Synthesis = { template: Template; warnings: string[] };

function synthesiseAnew(context: Record<string, unknown>, props: Props): Synthesis {
  return withApp(context, props, ({ app, stack }) => {
    const { template, messages } = app.synth().getStackArtifact(stack.artifactId);
    // A line of information is none: the stack passes four fifths of CloudFormation's 500 resources (size.test.ts).
    const warnings = messages.filter(({ level }) => level !== "info");
    return { template, warnings: warnings.map(({ entry }) => String(entry.data)) };
  });
}

/** The synthesis of a deployment with this context. Throws the errors of the synthesis. */
export function synthesise(context: Record<string, unknown> = {}, props?: Props): Synthesis {
  if (props) return synthesiseAnew(context, props);
  // A synthesis is dear.
  return JSON.parse(madeBefore(`stack ${JSON.stringify(context)}`, () => JSON.stringify(synthesiseAnew(context, {}))));
}

export function templateOf(context?: Record<string, unknown>, props?: Props): Template {
  return synthesise(context, props).template;
}

/** The properties of the one resource of a type; throws if there are more. */
export function propertiesOf(template: Template, type: string): Resource["Properties"] {
  const [resource, ...others] = Object.values(resourcesOf(template, type));
  if (others.length > 0) throw new Error(`there are several resources ${type}`);
  return resource?.Properties;
}

export function resourcesOf({ Resources }: Template, type: string): Record<string, Resource> {
  return Object.fromEntries(Object.entries(Resources).filter(([, { Type }]) => Type === type));
}

/** A function of the stack with the statements of its role: its own, and the shared policies'. */
type DeployedFunction = {
  id: string;
  properties: Resource["Properties"];
  statements: Statement[];
  shared: Statement[];
};

export function functionsOf(template: Template, prefix = "feedback-board-dev-"): Record<string, DeployedFunction> {
  return Object.fromEntries(
    Object.entries(resourcesOf(template, "AWS::Lambda::Function")).map(([id, { Properties }]) => {
      const role = template.Resources[Properties.Role["Fn::GetAtt"][0]]?.Properties;
      const shared = (role.ManagedPolicyArns ?? []).map(
        ({ Ref }: { Ref: string }) => template.Resources[Ref]?.Properties.PolicyDocument.Statement,
      );
      const statements = role.Policies.flatMap(
        (policy: { PolicyDocument: { Statement: Statement[] } }) => policy.PolicyDocument.Statement,
      );
      // A function of the CDK has no name.
      const name = Properties.FunctionName?.slice(prefix.length) ?? id;
      return [name, { id, properties: Properties, statements, shared: shared.flat() }];
    }),
  );
}

/** The resource that a policy names the table by. */
export function tableArnOf(template: Template): unknown {
  return { "Fn::GetAtt": [Object.keys(resourcesOf(template, "AWS::DynamoDB::Table"))[0], "Arn"] };
}
