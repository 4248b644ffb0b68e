import { Annotations, CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Tags } from "aws-cdk-lib";
import * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import { ManagedPolicy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { backgroundFunctions as allBackgroundFunctions } from "../../functions/background/index.ts";
import { documentFunctions } from "../../functions/documents/index.ts";
import { groups as allGroups } from "../../functions/index.ts";
import type { BackgroundFunction as Background } from "../../lib/background.ts";
import type { Group } from "../../lib/group.ts";
import { BASE_PATH } from "../../lib/http/routes.ts";
import { type SettingName, settingNames } from "../../lib/runtime/settings.ts";
import { EXPIRY_ATTRIBUTE, tableShape } from "../../lib/table/keys.ts";
import { addAlarms } from "./alarms.ts";
import { addApi, addStage } from "./api.ts";
import { BackgroundFunction, callEachMinute } from "./background-function.ts";
import { addBudget } from "./budget.ts";
import { type DeploymentContext, readContext } from "./context.ts";
import { addDashboard } from "./dashboard.ts";
import { DocumentFunction } from "./document-function.ts";
import { GroupFunction } from "./group-function.ts";
import { addMigrations } from "./migrations.ts";
import { type Environment, SERVICE_TAG, type Service } from "./service-function.ts";
import { addSigningSecret } from "./signing-secret.ts";

/** The table's name for `sam local`, whose functions need it before the deployment. */
export const LOCAL_TABLE_NAME = "feedback-board";

/** The functions of the stack; by default those of the service, bundled by infra/bundle/bundle.ts. */
export type FeedbackBoardProps = StackProps & {
  /** The folder that holds `<name>/index.mjs` of each function. */
  bundles: string;
  groups?: readonly Group[];
  backgroundFunctions?: readonly Background[];
};

/** The whole service: API, functions, table, secret, alarms, dashboard. Nothing here knows an endpoint by name. */
export class FeedbackBoardStack extends Stack {
  readonly table: dynamodb.ITable;

  constructor(scope: Construct, id: string, props: FeedbackBoardProps) {
    super(scope, id, { description: "Feedback Board: the back end of a feedback portal", ...props });
    const context = readContext(this.node);
    const prefix = `feedback-board-${context.stageName}`;
    Tags.of(this).add(SERVICE_TAG, prefix);

    const table = addTable(this, context);
    this.table = table;
    const settings = settingsOf(context, table);
    const service: Service = { context, prefix, bundles: props.bundles, table, tracing: addTracing(this), settings };
    const signing = context.local ? undefined : addSigningSecret(this, service);
    const deadLetters = addDeadLetters(this);

    const { groups = allGroups, backgroundFunctions = allBackgroundFunctions } = props;
    const functions = groups.map((group) => new GroupFunction(this, service, signing?.secret, group));
    const background = backgroundFunctions.map(({ definition }) => {
      const sendsMail = definition.works.some((work) => work.definition.sendsMail);
      const statements = sendsMail ? mailStatements(this, context) : [];
      return new BackgroundFunction(this, service, deadLetters, definition, statements);
    });
    callEachMinute(this, background, deadLetters);

    const migrate = context.local
      ? undefined
      : addMigrations(this, service, deadLetters, [...functions, ...background]);

    const endpoints = groups.flatMap((group) => group.endpoints);
    const api = addApi(this, prefix, context.allowedOrigins, endpoints);
    for (const each of functions) each.addRoutes(api);
    const documents = context.local ? [] : addDocuments(this, service);
    for (const each of documents) each.addRoute(api);
    const accessLog = addStage(this, service, api, endpoints, documents);

    const unattended = [...background, ...(signing ? [signing.rotation] : [])];
    const queued = migrate ? [migrate] : [];
    const watched = { api, table, deadLetters, background, unattended, queued };
    const alarms = addAlarms(this, prefix, watched, context.alarmEmail);
    if (context.alarmEmail) addBudget(this, prefix, context.dailyBudget, context.alarmEmail);
    addDashboard(this, prefix, watched, alarms, accessLog);
    addOutputs(this, {
      baseUrl: `${api.apiEndpoint}${BASE_PATH}`,
      tableName: table.tableName,
      allowedOrigins: context.allowedOrigins.join(","),
      mail: mailStatus(context),
    });
    if (!context.mailFrom && !context.local) warnOfMail(this);
    if (context.mailFrom && !context.setupCode) warnOfSetup(this);
    if (!context.leadingKeys) warnOfWideRights(this);
  }
}

type KeyType = "HASH" | "RANGE";

function keyAttribute(keyType: KeyType): dynamodb.Attribute {
  const { AttributeName = "" } = tableShape.KeySchema.find(({ KeyType }) => KeyType === keyType) ?? {};
  return { name: AttributeName, type: dynamodb.AttributeType.STRING };
}

/** The table, of the same shape as the local one (lib/table/keys.ts), or the restored one. It outlives the stack. */
function addTable(stack: Stack, { restored, maxReadUnits, maxWriteUnits }: DeploymentContext): dynamodb.ITable {
  if (restored) {
    const { tableArn, streamArn } = restored;
    return dynamodb.Table.fromTableAttributes(stack, "table", { tableArn, tableStreamArn: streamArn });
  }
  return new dynamodb.Table(stack, "table", {
    partitionKey: keyAttribute("HASH"),
    sortKey: keyAttribute("RANGE"),
    billingMode: dynamodb.BillingMode[tableShape.BillingMode],
    maxReadRequestUnits: maxReadUnits,
    maxWriteRequestUnits: maxWriteUnits,
    stream: dynamodb.StreamViewType[tableShape.StreamSpecification.StreamViewType],
    timeToLiveAttribute: EXPIRY_ATTRIBUTE,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    encryption: dynamodb.TableEncryption.AWS_MANAGED,
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
  }) as dynamodb.ITable;
}

function addDocuments(stack: Stack, service: Service): DocumentFunction[] {
  return (Object.keys(documentFunctions) as (keyof typeof documentFunctions)[]).map(
    (name) => new DocumentFunction(stack, service, name),
  );
}

/** The right to send traces, for all functions. Its two actions have no resources: the only `*` of this stack. */
function addTracing(stack: Stack): ManagedPolicy {
  return new ManagedPolicy(stack, "tracing", {
    description: "X-Ray: PutTraceSegments and PutTelemetryRecords cannot be limited to a resource",
    statements: [
      new PolicyStatement({ actions: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"], resources: ["*"] }),
    ],
  });
}

/** The records of new items that the stream could not hand over; the items themselves are in the table. */
function addDeadLetters(stack: Stack): Queue {
  return new Queue(stack, "dead-letters", {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
}

// SAM sets the region by itself, the secret is given as it is, and mails are sent by `npm run sam` and not in a container.
const NOT_IN_CONTAINERS = new Set<SettingName>(["AWS_REGION", "SIGNING_SECRET_ARN", "MAIL_LOG_FILE"]);

/** The settings that all functions have in common. `sam local` can set only what is declared here. */
function settingsOf(
  { local, mailFrom, siteUrl, publicReads, requireVerified, commonPasswords, setupCode }: DeploymentContext,
  { tableName }: dynamodb.ITable,
): Environment {
  if (local) {
    return {
      ...Object.fromEntries(settingNames().flatMap((name) => (NOT_IN_CONTAINERS.has(name) ? [] : [[name, ""]]))),
      TABLE_NAME: LOCAL_TABLE_NAME,
      DYNAMODB_ENDPOINT: "http://host.docker.internal:8000",
      MAIL_TRANSPORT: "log",
    };
  }
  return {
    TABLE_NAME: tableName,
    MAIL_TRANSPORT: mailFrom ? "ses" : "none",
    RATE_LIMITS: "on",
    ...(publicReads && { PUBLIC_READS: "on" }),
    ...(requireVerified && { REQUIRE_VERIFIED: "on" }),
    COMMON_PASSWORDS: commonPasswords,
    ...(setupCode && { SETUP_CODE: setupCode }),
    ...(mailFrom && { MAIL_FROM: mailFrom }),
    ...(siteUrl && { SITE_URL: siteUrl }),
  };
}

/** The right to send mail from one address, whether SES has verified the address or its domain. */
function mailStatements(stack: Stack, { mailFrom }: DeploymentContext): PolicyStatement[] {
  if (!mailFrom) return [];
  const address = mailFrom.replace(/^.*<|>$/g, "");
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const identity = (resourceName: string) => stack.formatArn({ service: "ses", resource: "identity", resourceName });
  return [
    new PolicyStatement({
      actions: ["ses:SendEmail"],
      resources: [identity(address), identity(domain)],
      conditions: { StringEquals: { "ses:FromAddress": address } },
    }),
  ];
}

function mailStatus({ mailFrom, local }: DeploymentContext): string {
  if (local) return "printed to the log";
  return mailFrom ? `sent by SES from ${mailFrom}` : "none: signup and setup answer MAIL_CONFIG_MISSING";
}

function warnOfMail(stack: Stack): void {
  Annotations.of(stack).addWarningV2(
    "feedback-board:no-mail",
    "No mail sender: nobody can sign up, and setup is refused (MAIL_CONFIG_MISSING). Add -c mailFrom=... -c siteUrl=...; docs/deploy.md#2-mail",
  );
}

function warnOfSetup(stack: Stack): void {
  Annotations.of(stack).addWarningV2(
    "feedback-board:open-setup",
    "No setup code: until POST /auth/setup is called, whoever calls it first owns the site, after an empty table by accident too. Add -c setupCode=...; docs/deploy.md#4-the-first-signup",
  );
}

function warnOfWideRights(stack: Stack): void {
  Annotations.of(stack).addWarningV2(
    "feedback-board:wide-rights",
    "leadingKeys=off: in a transaction each function may write items of every family, not only of its own; docs/deploy.md, If the first deploy fails",
  );
}

type Outputs = { baseUrl: string; allowedOrigins: string; tableName: string; mail: string };

function addOutputs(stack: Stack, values: Outputs): void {
  new CfnOutput(stack, "BaseUrl", { value: values.baseUrl, description: "Where the API answers" });
  new CfnOutput(stack, "AllowedOrigins", {
    value: values.allowedOrigins,
    description: "Whose pages may call the API; npm run operate -- smoke asks from there",
  });
  new CfnOutput(stack, "TableName", { value: values.tableName, description: "The table, which outlives the stack" });
  new CfnOutput(stack, "Mail", { value: values.mail, description: "How mails leave" });
}
