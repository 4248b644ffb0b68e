import { join } from "node:path";
import { Annotations, CfnOutput, Duration, RemovalPolicy, Stack, Tags } from "aws-cdk-lib";
import * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import { ManagedPolicy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import { backgroundFunctions as allBackgroundFunctions } from "../../functions/background/index.ts";
import { groups as allGroups } from "../../functions/index.ts";
import { BASE_PATH } from "../../lib/http/routes.ts";
import { readSender } from "../../lib/mail/sender.ts";
import { type VariableName, variableNames } from "../../lib/runtime/environment.ts";
import { EXPIRY_ATTRIBUTE, tableShape } from "../../lib/table/table-shape.ts";
import { addAlarms, addBudget } from "./alarms.ts";
import { addApi, addStage } from "./api.ts";
import { BackgroundFunction, callEachMinute } from "./background-function.ts";
import { contextOf, type DeploymentContext } from "./context.ts";
import { addDashboard } from "./dashboard.ts";
import { addDeliver } from "./deliver-function.ts";
import { addExports } from "./exports.ts";
import { addDocuments, addGroup } from "./group-function.ts";
import { addMigrations } from "./migrations.ts";
import { LOCAL_TABLE_NAME, type Parts } from "./parts.ts";
import { addCards, addDistribution, addPages } from "./portal.ts";
import { addFiles } from "./portal-files.ts";
import type { FeedbackBoardProps } from "./props.ts";
import { addLogs, type Environment, SERVICE_TAG, type Service } from "./service-function.ts";
import { addSigningSecret } from "./signing-secret.ts";

/** Where the functions are in the package that teams install: beside its code. */
const PACKED = join(import.meta.dirname, "functions");

/**
 * The whole service in a stack of yours: API, functions, table, secret, alarms, dashboard, and the portal if you want
 * it. Throws an Error of one line that names a wrong property. docs/deploy.md#in-a-cdk-app-of-your-own
 */
export class FeedbackBoard extends Construct {
  /** The table; it outlives the stack. */
  readonly table: dynamodb.ITable;
  /** The URL of the API, which ends in `/api/v1`. */
  readonly apiUrl: string;
  /** The URL of the portal; undefined without `portal`. */
  readonly portalUrl: string | undefined;

  constructor(scope: Construct, id: string, props?: FeedbackBoardProps);
  /** @internal */
  constructor(scope: Construct, id: string, props: FeedbackBoardProps, parts: Parts);
  constructor(scope: Construct, id: string, props: FeedbackBoardProps = {}, parts: Parts = { bundles: PACKED }) {
    super(scope, id);
    const { bundles, context = contextOf(props), groups = allGroups } = parts;
    const { backgroundFunctions = allBackgroundFunctions } = parts;
    const prefix = `feedback-board-${context.stageName}`;
    Tags.of(this).add(SERVICE_TAG, prefix);

    const table = addTable(this, context);
    this.table = table;
    const tracing = addTracing(this);
    const environment = environmentOf(context, table);
    const exports = context.local ? undefined : addExports(this);
    const logs = addLogs(this, prefix);
    // The environment and the key of the portal are completed below, before the first function is made.
    const shared = { table, tracing, logs, environment, exports };
    const service: Service = { context, prefix, bundles, portalKey: undefined, ...shared };
    const signing = context.local ? undefined : addSigningSecret(this, service);
    const deadLetters = addDeadLetters(this);

    const endpoints = groups.flatMap((group) => group.endpoints);
    const api = addApi(this, prefix, context.allowedOrigins, endpoints);
    const files = context.portal ? addFiles(this, bundles, logs) : undefined;
    if (context.mailFrom && !context.portal) environment.API_URL = `${api.apiEndpoint}${BASE_PATH}`;
    if (files) {
      const portal = addDistribution(this, prefix, api, context.portal, files);
      Object.assign(environment, portal.environment);
      service.portalKey = portal.key;
    }
    const functions = groups.map((group) => addGroup(this, service, signing?.secret, group, api));
    const background = backgroundFunctions.map(({ definition }) => {
      const sendsMail = definition.works.some((work) => work.definition.sendsMail);
      const statements = sendsMail ? mailStatements(this, context) : [];
      return new BackgroundFunction(this, service, deadLetters, definition, statements);
    });
    const deliver = context.local ? [] : [addDeliver(this, service, deadLetters)];
    callEachMinute(this, [...background, ...deliver], deadLetters);

    const queued = context.local
      ? []
      : [addMigrations(this, service, deadLetters, [...functions, ...background, ...deliver])];

    const documents = context.local ? [] : addDocuments(this, service, api);
    const pages = files ? addPages(this, service, api, files) : [];
    const cards = files ? addCards(this, service, api) : [];
    const accessLog = addStage(this, service, api, endpoints, documents, pages, cards);

    const unattended = [...background, ...(signing ? [signing.rotation] : [])];
    const watched = { api, table, deadLetters, background, unattended, queued: [...queued, ...deliver] };
    const alarms = addAlarms(this, prefix, watched, context.alarmEmail);
    if (context.alarmEmail) addBudget(this, prefix, context.dailyBudget, context.alarmEmail);
    addDashboard(this, prefix, watched, alarms, accessLog);
    this.apiUrl = `${api.apiEndpoint}${BASE_PATH}`;
    this.portalUrl = files && environment.SITE_URL;
    addOutputs(this, context);
    addWarnings(this, context);
  }
}

/** The table, of the same shape as the local one (table-shape.ts), or the restored one. It outlives the stack. */
function addTable(scope: Construct, { restored, maxReadUnits, maxWriteUnits }: DeploymentContext): dynamodb.ITable {
  if (restored) {
    const { tableArn, streamArn } = restored;
    return dynamodb.Table.fromTableAttributes(scope, "table", { tableArn, tableStreamArn: streamArn });
  }
  const [partitionKey, sortKey] = tableShape.KeySchema;
  return new dynamodb.Table(scope, "table", {
    partitionKey: { name: partitionKey.AttributeName, type: dynamodb.AttributeType.STRING },
    sortKey: { name: sortKey.AttributeName, type: dynamodb.AttributeType.STRING },
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

/** The right to send traces, for all functions. Its two actions have no resources: the only `*` of this stack. */
function addTracing(scope: Construct): ManagedPolicy {
  return new ManagedPolicy(scope, "tracing", {
    description: "X-Ray: PutTraceSegments and PutTelemetryRecords cannot be limited to a resource",
    statements: [
      new PolicyStatement({ actions: ["xray:PutTraceSegments", "xray:PutTelemetryRecords"], resources: ["*"] }),
    ],
  });
}

/** The queue of failed calls. A record of the stream names its item, which is in the table. */
function addDeadLetters(scope: Construct): Queue {
  return new Queue(scope, "dead-letters", {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
}

// SAM sets the region, the secret is given as it is, and `npm run sam` sends the mails, outside of the containers.
const NOT_IN_CONTAINERS = new Set<VariableName>([
  "AWS_REGION",
  "SIGNING_SECRET_ARN",
  "MAIL_LOG_FILE",
  "PORTAL_KEY",
  "DELIVER_URL",
  "EXPORT_BUCKET_URL",
  "EXPORT_FOLDER",
  "WEBHOOK_PRIVATE_TARGETS",
]);

/** The environment variables that all functions share. `sam local` can set only what is declared here. */
function environmentOf(
  {
    local,
    mail,
    mailFrom,
    mailLanguage,
    noticesPerSecond,
    siteUrl,
    publicReads,
    requireVerified,
    commonPasswords,
  }: DeploymentContext,
  { tableName }: dynamodb.ITable,
): Environment {
  if (local) {
    return {
      ...Object.fromEntries(variableNames().flatMap((name) => (NOT_IN_CONTAINERS.has(name) ? [] : [[name, ""]]))),
      TABLE_NAME: LOCAL_TABLE_NAME,
      DYNAMODB_ENDPOINT: "http://host.docker.internal:8000",
      MAIL_TRANSPORT: "log",
    };
  }
  return {
    TABLE_NAME: tableName,
    MAIL_TRANSPORT: transportOf({ mail, mailFrom }),
    RATE_LIMITS: "on",
    ...(publicReads && { PUBLIC_READS: "on" }),
    ...(requireVerified && { REQUIRE_VERIFIED: "on" }),
    COMMON_PASSWORDS: commonPasswords,
    ...(mailFrom && { MAIL_FROM: mailFrom, MAIL_LANGUAGE: mailLanguage, NOTICES_PER_SECOND: String(noticesPerSecond) }),
    ...(siteUrl && { SITE_URL: siteUrl }),
  };
}

function transportOf({ mail, mailFrom }: Pick<DeploymentContext, "mail" | "mailFrom">): "ses" | "off" | "none" {
  if (mailFrom) return "ses";
  return mail === "none" ? "off" : "none";
}

/** How mails are sent, in words. */
function mailOutput({ local, mail, mailFrom }: DeploymentContext): string {
  if (local) return "printed to the log";
  if (mailFrom) return `sent by SES from ${mailFrom}`;
  return mail === "none"
    ? "none, by choice: nobody can reset a password"
    : "none: signup and setup answer MAIL_CONFIG_MISSING";
}

/** The right to send mail from one address, whether SES has verified the address or its domain. */
function mailStatements(scope: Construct, { mailFrom }: DeploymentContext): PolicyStatement[] {
  const { address } = readSender(mailFrom ?? "") ?? {};
  if (address === undefined) return [];
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const identity = (resourceName: string) =>
    Stack.of(scope).formatArn({ service: "ses", resource: "identity", resourceName });
  return [
    new PolicyStatement({
      actions: ["ses:SendEmail"],
      resources: [identity(address), identity(domain)],
      conditions: { StringEquals: { "ses:FromAddress": address } },
    }),
  ];
}

function addOutputs(board: FeedbackBoard, context: DeploymentContext) {
  const add = (name: string, value: string, description: string) => new CfnOutput(board, name, { value, description });
  add("BaseUrl", board.apiUrl, "The URL of the API");
  add(
    "AllowedOrigins",
    context.allowedOrigins.join(","),
    "The origins whose pages may call the API; smoke asks from there",
  );
  add("TableName", board.table.tableName, "The table, which outlives the stack");
  add("Mail", mailOutput(context), "How mails are sent");
}

function addWarnings(
  scope: Construct,
  { mail, mailFrom, setupCodeSha256, leadingKeys, local }: DeploymentContext,
): void {
  const warn = (id: string, text: string) => Annotations.of(scope).addWarningV2(`feedback-board:${id}`, text);
  const isServed = mail === "none" || mailFrom !== undefined;
  if (!isServed && !local) {
    warn(
      "no-mail",
      "No mail sender: nobody can sign up, and setup is refused (MAIL_CONFIG_MISSING). Add -c mail=none, or -c mailFrom=...; docs/deploy.md#mail",
    );
  }
  if (isServed && !setupCodeSha256) {
    warn(
      "open-setup",
      "No setup code: the first caller of POST /auth/setup owns the site, also if the table is empty by accident. Add -c setupCode=...; docs/deploy.md#the-first-signup",
    );
  }
  if (!leadingKeys) {
    warn(
      "wide-rights",
      "leadingKeys=off: in a transaction each function may write items of every family, not only of its own; docs/deploy.md, If the first deploy fails",
    );
  }
}
