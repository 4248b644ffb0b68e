import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import builder from "../../infra/cloudshell/builder.json" with { type: "json" };
import { aFolder, compileCache, projectFolder } from "../support/process/server-process.ts";
import { bundled, withBundles } from "../support/stack/bundles.ts";
import { allows, type Statement } from "../support/stack/iam.ts";
import { functionsOf, resourcesOf, templateOf } from "../support/stack/stack.ts";

const scripts = ["infra/cloudshell/deploy.sh", "infra/cloudshell/build.sh"];

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

/** A text of the template for the stage dev of an account. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const { "Fn::Sub": pattern = "", "Fn::GetAtt": attribute } = value as { "Fn::Sub"?: string; "Fn::GetAtt"?: string[] };
  const known: Record<string, string> = {
    Stage: "dev",
    "AWS::Partition": "aws",
    "AWS::Region": "eu-west-1",
    "AWS::AccountId": "123456789012",
  };
  return attribute ? attribute.join(".") : pattern.replace(/\$\{([\w:.]+)\}/g, (_, name) => known[name] ?? name);
}

type Written = { Action: string[]; Resource: unknown; Condition?: Record<string, Record<string, unknown>> };

function statementsOf(role: "ExecutionRole" | "BuildRole"): Statement[] {
  const written = builder.Resources[role].Properties.Policies.flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement as Written[],
  );
  return written.map(({ Action, Resource, Condition = {} }) => ({
    Effect: "Allow",
    Action,
    Resource: [Resource].flat().map(textOf),
    Condition: Object.fromEntries(
      Object.entries(Condition).map(([operator, keys]) => [
        // The evaluator compares ARNs as it compares texts.
        operator.replace("ArnLike", "StringLike"),
        Object.fromEntries(Object.entries(keys).map(([key, value]) => [key, textOf(value)])),
      ]),
    ),
  }));
}

const ACCOUNT = "eu-west-1:123456789012";
const BOUNDARY = "arn:aws:iam::123456789012:policy/feedback-board-dev-boundary";
const ROLE = "arn:aws:iam::123456789012:role/FeedbackBoard-dev-votesaddrole-1";
const POLICY = "arn:aws:iam::123456789012:policy/FeedbackBoard-dev-tracing-1";
const bounded = { "iam:PermissionsBoundary": [BOUNDARY] };

type Need = [resource: string, actions: string, context?: Record<string, string[]>];

const api: Need = [`arn:aws:apigateway:eu-west-1::/apis/a`, "apigateway: POST GET PATCH DELETE"];

/** What CloudFormation asks for to make and change a resource of a type, by AWS's documents. */
const needs: Record<string, Need[]> = {
  "AWS::DynamoDB::Table": [
    [
      `arn:aws:dynamodb:${ACCOUNT}:table/FeedbackBoard-dev-table-1`,
      "dynamodb: CreateTable DescribeTable UpdateTable UpdateTimeToLive UpdateContinuousBackups TagResource",
    ],
  ],
  "AWS::IAM::ManagedPolicy": [[POLICY, "iam: CreatePolicy GetPolicy CreatePolicyVersion DeletePolicy"]],
  "AWS::IAM::Role": [
    [ROLE, "iam: CreateRole PutRolePolicy DeleteRolePolicy", bounded],
    [ROLE, "iam: AttachRolePolicy DetachRolePolicy", { ...bounded, "iam:PolicyARN": [POLICY] }],
    [ROLE, "iam: GetRole DeleteRole TagRole"],
  ],
  "AWS::SecretsManager::Secret": [
    [
      `arn:aws:secretsmanager:${ACCOUNT}:secret:signingsecretBC9B-1`,
      "secretsmanager: CreateSecret DeleteSecret TagResource",
    ],
    ["*", "secretsmanager: GetRandomPassword"],
  ],
  "AWS::SecretsManager::RotationSchedule": [
    [`arn:aws:secretsmanager:${ACCOUNT}:secret:signingsecretBC9B-1`, "secretsmanager: RotateSecret CancelRotateSecret"],
  ],
  "AWS::SecretsManager::ResourcePolicy": [
    [
      `arn:aws:secretsmanager:${ACCOUNT}:secret:signingsecretBC9B-1`,
      "secretsmanager: PutResourcePolicy GetResourcePolicy DeleteResourcePolicy",
    ],
  ],
  "AWS::Logs::LogGroup": ["/aws/lambda/feedback-board-dev", "/aws/vendedlogs/apigateway/feedback-board-dev"].map(
    (name) => [
      `arn:aws:logs:${ACCOUNT}:log-group:${name}`,
      "logs: CreateLogGroup PutRetentionPolicy DeleteLogGroup TagResource",
    ],
  ),
  "AWS::Lambda::Function": [
    ...["feedback-board-dev-votes-add", "FeedbackBoard-dev-CustomCDKBucketDeployment-1"].map(
      (name): Need => [
        `arn:aws:lambda:${ACCOUNT}:function:${name}`,
        "lambda: CreateFunction GetFunction UpdateFunctionCode UpdateFunctionConfiguration DeleteFunction TagResource",
      ],
    ),
    [ROLE, "iam: PassRole", { "iam:PassedToService": ["lambda.amazonaws.com"] }],
    ["Files.Arn/bundle.zip", "s3: GetObject"],
  ],
  "AWS::Lambda::Permission": [
    [`arn:aws:lambda:${ACCOUNT}:function:feedback-board-dev-votes-add`, "lambda: AddPermission RemovePermission"],
  ],
  "AWS::Lambda::LayerVersion": [
    [`arn:aws:lambda:${ACCOUNT}:layer:fillportalfilesAwsCliLayer7E8B`, "lambda: PublishLayerVersion"],
    [`arn:aws:lambda:${ACCOUNT}:layer:fillportalfilesAwsCliLayer7E8B:1`, "lambda: GetLayerVersion DeleteLayerVersion"],
  ],
  "AWS::Lambda::EventSourceMapping": [
    [
      "*",
      "lambda: CreateEventSourceMapping DeleteEventSourceMapping",
      { "lambda:FunctionArn": [`arn:aws:lambda:${ACCOUNT}:function:feedback-board-dev-keep`] },
    ],
  ],
  "AWS::SQS::Queue": [
    [`arn:aws:sqs:${ACCOUNT}:FeedbackBoard-dev-deadletters-1`, "sqs: CreateQueue DeleteQueue TagQueue"],
  ],
  "AWS::SQS::QueuePolicy": [[`arn:aws:sqs:${ACCOUNT}:FeedbackBoard-dev-deadletters-1`, "sqs: SetQueueAttributes"]],
  "AWS::ApiGatewayV2::Api": [api],
  "AWS::ApiGatewayV2::Integration": [api],
  "AWS::ApiGatewayV2::Route": [api],
  "AWS::ApiGatewayV2::Stage": [api, ["*", "logs: CreateLogDelivery PutResourcePolicy DescribeResourcePolicies"]],
  "AWS::S3::Bucket": [
    [
      "arn:aws:s3:::feedbackboard-dev-portalfiles-1",
      "s3: CreateBucket PutEncryptionConfiguration PutBucketPublicAccessBlock",
    ],
    [
      "arn:aws:s3:::feedbackboard-dev-exports-1",
      "s3: CreateBucket PutEncryptionConfiguration PutBucketPublicAccessBlock PutLifecycleConfiguration",
    ],
  ],
  "AWS::S3::BucketPolicy": [["arn:aws:s3:::feedbackboard-dev-portalfiles-1", "s3: PutBucketPolicy DeleteBucketPolicy"]],
  "Custom::CDKBucketDeployment": [
    [`arn:aws:lambda:${ACCOUNT}:function:FeedbackBoard-dev-CustomCDKBucketDeployment-1`, "lambda: InvokeFunction"],
  ],
  ...Object.fromEntries(
    ["Function", "CachePolicy", "OriginRequestPolicy", "OriginAccessControl", "Distribution"].map(
      (name): [string, Need[]] => [
        `AWS::CloudFront::${name}`,
        [["*", `cloudfront: Create${name} Get${name} Update${name} Delete${name}`]],
      ],
    ),
  ),
  "AWS::Events::Rule": [
    [
      `arn:aws:events:${ACCOUNT}:rule/FeedbackBoard-dev-eachminute-1`,
      "events: PutRule PutTargets RemoveTargets DeleteRule",
    ],
  ],
  "AWS::SNS::Topic": [
    [`arn:aws:sns:${ACCOUNT}:FeedbackBoard-dev-alarms-1`, "sns: CreateTopic DeleteTopic TagResource"],
  ],
  "AWS::SNS::TopicPolicy": [[`arn:aws:sns:${ACCOUNT}:FeedbackBoard-dev-alarms-1`, "sns: SetTopicAttributes"]],
  "AWS::SNS::Subscription": [
    [`arn:aws:sns:${ACCOUNT}:FeedbackBoard-dev-alarms-1`, "sns: Subscribe"],
    ["*", "sns: Unsubscribe"],
  ],
  "AWS::CloudWatch::Alarm": [
    [`arn:aws:cloudwatch:${ACCOUNT}:alarm:feedback-board-dev-dead-letters`, "cloudwatch: PutMetricAlarm DeleteAlarms"],
  ],
  "AWS::CloudWatch::Dashboard": [
    ["arn:aws:cloudwatch::123456789012:dashboard/feedback-board-dev", "cloudwatch: PutDashboard DeleteDashboards"],
  ],
  "AWS::Budgets::Budget": [
    ["arn:aws:budgets::123456789012:budget/feedback-board-dev-eu-west-1-daily", "budgets: ModifyBudget ViewBudget"],
  ],
};

function refusedOf(statements: Statement[], all: Need[]): string[] {
  return all.flatMap(([resource, actions, context = {}]) => {
    const [service = "", names = ""] = actions.split(": ");
    const asked = names.split(" ").map((name) => `${service}:${name}`);
    return asked.filter((action) => !allows(statements, { action, resource, context }));
  });
}

const everything = { portal: "true", mailFrom: "a@example.com", alarmEmail: "a@example.com", setupCode: "open sesame" };
const template = templateOf(everything);

describe("The role that CloudFormation makes the stack with", () => {
  const statements = statementsOf("ExecutionRole");

  it.each([...new Set(Object.values(template.Resources).map(({ Type }) => Type))])("reaches what %s needs", (type) => {
    expect(needs[type], `what CloudFormation asks for to make ${type}`).toBeDefined();
    expect(refusedOf(statements, needs[type] ?? [])).toEqual([]);
  });

  it("reaches nothing of others, and no role without the boundary", () => {
    const foreign: Need[] = [
      [ROLE, "iam: CreateRole PutRolePolicy"],
      [ROLE, "iam: AttachRolePolicy", { ...bounded, "iam:PolicyARN": ["arn:aws:iam::aws:policy/AdministratorAccess"] }],
      [ROLE, "iam: DeleteRolePermissionsBoundary", bounded],
      [ROLE, "iam: PassRole", { "iam:PassedToService": ["ec2.amazonaws.com"] }],
      [
        "arn:aws:iam::123456789012:role/Admin",
        "iam: CreateRole PutRolePolicy UpdateAssumeRolePolicy PassRole",
        bounded,
      ],
      [BOUNDARY, "iam: CreatePolicyVersion DeletePolicy"],
      ["arn:aws:iam::123456789012:user/a", "iam: CreateUser CreateAccessKey"],
      [`arn:aws:dynamodb:${ACCOUNT}:table/others`, "dynamodb: UpdateTable GetItem Scan"],
      [`arn:aws:dynamodb:${ACCOUNT}:table/FeedbackBoard-dev-table-1`, "dynamodb: DeleteTable GetItem Scan"],
      ["arn:aws:s3:::others", "s3: PutBucketPolicy GetObject"],
      [`arn:aws:lambda:${ACCOUNT}:function:others`, "lambda: UpdateFunctionCode InvokeFunction"],
      [`arn:aws:secretsmanager:${ACCOUNT}:secret:others`, "secretsmanager: GetSecretValue DeleteSecret"],
    ];
    const asked = foreign.reduce((count, [, actions]) => count + actions.split(" ").length - 1, 0);
    expect(refusedOf(statements, foreign)).toHaveLength(asked);
  });
});

describe("The boundary of the functions' roles", () => {
  const bound = builder.Resources.Boundary.Properties.PolicyDocument.Statement.flatMap(({ Action }) => Action);

  it("covers every action of every function, and no other", () => {
    const used = Object.values(functionsOf(template)).flatMap(({ statements, shared }) => [...statements, ...shared]);
    expect([...bound].sort()).toEqual([...new Set(used.flatMap(({ Action }) => Action))].sort());
  });
});

describe("The build's command", () => {
  it("synthesises a stack with the boundary on every role, from the builder's bucket", async () => {
    await bundled();
    const out = join(aFolder(), "out");
    const env = {
      ...{ PATH: process.env.PATH, HOME: aFolder(), NODE_OPTIONS: withBundles.join(" "), CDK_VALIDATION: "false" },
      ...{ AWS_REGION: "eu-west-1", AWS_EC2_METADATA_DISABLED: "true", CDK_DISABLE_CLI_TELEMETRY: "true" },
      ...{ ASSETS_BUCKET: "the-bucket", BOUNDARY: "feedback-board-dev-boundary", STAGE: "dev", PORTAL: "true" },
      ...{ EXECUTION_ROLE: "arn:aws:iam::123456789012:role/x", MAIL: "none", MAIL_FROM: "", ALARM_EMAIL: "" },
      SETUP_CODE_SHA256: "a".repeat(64),
      ...compileCache,
    };
    // What AWS would do follows the synthesis.
    const script = readFileSync("infra/cloudshell/build.sh", "utf8").replace(
      "cdk deploy --require-approval never",
      `cdk synth --quiet --no-notices --output ${out}`,
    );
    const { status, stderr } = spawnSync("bash", ["-c", script], { cwd: projectFolder, env, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    const made = JSON.parse(readFileSync(join(out, "FeedbackBoard-dev.template.json"), "utf8"));
    for (const { Properties } of Object.values(resourcesOf(made, "AWS::IAM::Role"))) {
      expect(JSON.stringify(Properties.PermissionsBoundary)).toContain(":policy/feedback-board-dev-boundary");
    }
    expect(JSON.stringify(functionsOf(made)["votes-add"]?.properties.Code)).toContain("the-bucket");
    expect(functionsOf(made)["auth-set-up"]?.properties.Environment.Variables.SETUP_CODE_SHA256).toBe("a".repeat(64));
  });
});

describe("The scripts and the template", () => {
  it.skipIf(!isInstalled("shellcheck"))(
    "have nothing that shellcheck finds (skipped where it is not installed)",
    () => {
      const { stdout } = spawnSync("shellcheck", scripts, { encoding: "utf8" });
      expect(stdout).toBe("");
    },
  );

  it.skipIf(!isInstalled("cfn-lint"))("have nothing that cfn-lint finds (skipped where it is not installed)", () => {
    const { stdout } = spawnSync("cfn-lint", ["infra/cloudshell/builder.json"], { encoding: "utf8" });
    expect(stdout).toBe("");
  });
});

// In place of AWS's command: these tests are of the dialogue, and say nothing about AWS.
const AWS = `#!/bin/sh
echo "$*" >> "$CALLS"
case "$1 $2" in
  "cloudformation describe-stacks") echo "https://answer.example" ;;
  "codebuild start-build") echo build:1 ;;
  "codebuild batch-get-builds") echo "\${STATUS:-SUCCEEDED}" ;;
esac
`;

describe("The dialogue of deploy.sh, with a substitute for aws", () => {
  function play(answers: string[], env: Record<string, string> = {}) {
    const folder = aFolder();
    mkdirSync(join(folder, "bin"));
    for (const [name, text] of Object.entries({ aws: AWS, git: "#!/bin/sh\n" })) {
      writeFileSync(join(folder, "bin", name), text);
      chmodSync(join(folder, "bin", name), 0o755);
    }
    const CALLS = join(folder, "calls");
    writeFileSync(CALLS, "");
    const { status, stdout, stderr } = spawnSync("bash", [scripts[0] ?? ""], {
      input: `${answers.join("\n")}\n`,
      env: { PATH: `${join(folder, "bin")}:${process.env.PATH}`, CALLS, POLL_SECONDS: "0", ...env },
      encoding: "utf8",
    });
    return { status, stdout, stderr, calls: readFileSync(CALLS, "utf8") };
  }

  it("makes nothing before it has shown price and time, and the answer is yes", () => {
    const { status, stdout, calls } = play(["", "", "", "", ""]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/Price .*\n.*Time/);
    expect(stdout).toContain("Nothing was made.");
    expect(calls).toBe("");
  });

  it("asks again until an answer is one", () => {
    const { stderr, calls } = play(["Prod!", "", "nobody", "", "maybe", "", "x", "", "no"]);
    expect(stderr.match(/^Please answer/gm)).toHaveLength(4);
    expect(calls).toBe("");
  });

  it("hands the choices and the hash of the code to the build, prints the code once, and checks the service", () => {
    const { status, stdout, calls } = play(["wishes", "team@example.com", "yes", "ops@example.com", "yes", ""]);
    expect(status).toBe(0);
    const [, code = ""] = /The setup code, shown this once: ([0-9a-f]{16})$/m.exec(stdout) ?? [];
    expect(stdout.split(code)).toHaveLength(2);
    expect(calls).not.toContain(code);
    expect(calls).toContain("name=MAIL_FROM,value=team@example.com,");
    expect(calls).toContain("name=ALARM_EMAIL,value=ops@example.com,");
    expect(calls).toMatch(/name=SETUP_CODE_SHA256,value=[0-9a-f]{64},/);
    expect(calls).toMatch(/--project-name feedback-board-wishes .*name=ACTION,value=smoke,/);
    expect(stdout).toContain("Now open https://answer.example/setup");
    expect(stdout.trim().endsWith("20 checks passed.")).toBe(true);
  });

  it("ends with the build's failure, and prints no code then", () => {
    const { status, stdout, stderr } = play(["", "", "", "", "yes"], { STATUS: "FAILED" });
    expect(status).toBe(1);
    expect(stderr).toContain("The build ended: FAILED");
    expect(stdout).not.toContain("setup code, shown");
  });
});
