import { join } from "node:path";
import { ArnFormat, type Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { type IManagedPolicy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import * as lambda from "aws-cdk-lib/aws-lambda";
import { type ILogGroup, LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { VariableName } from "../../lib/runtime/environment.ts";
import type { TableAccess } from "../../lib/table/access.ts";
import type { DeploymentContext } from "./context.ts";
import { tableStatements } from "./policies.ts";

/** Environment variables of a function: what lib/runtime/environment.ts reads, one of Node, one of the portal. */
export type Environment = Partial<Record<VariableName | "UV_THREADPOOL_SIZE" | "API_ORIGIN", string>>;

export type Service = {
  context: DeploymentContext;
  prefix: string;
  /** The folder that holds `<name>/index.mjs` of each function. */
  bundles: string;
  table: ITable;
  /** A right of every function: to send traces. */
  tracing: IManagedPolicy;
  /** The log of every function. */
  logs: ILogGroup;
  environment: Environment;
  /** What CloudFront proves itself by, in a stack with a portal. */
  portalKey: string | undefined;
  /** The bucket of exports; `sam local` has none. */
  exports: IBucket | undefined;
};

/** The variable of a function that calls reach through CloudFront. */
export function keyOf({ portalKey }: Service): Environment {
  return portalKey === undefined ? {} : { PORTAL_KEY: portalKey };
}

export const SERVICE_TAG = "service";

export const LOG_RETENTION = RetentionDays.ONE_MONTH;

/**
 * Adds the log of all functions. Each line names its endpoint and each stream its function, so one query sees all of
 * them; a group for each function would take an eighth of the room in the stack.
 */
export function addLogs(scope: Construct, prefix: string): ILogGroup {
  return new LogGroup(scope, "logs", {
    logGroupName: `/aws/lambda/${prefix}`,
    retention: LOG_RETENTION,
    removalPolicy: RemovalPolicy.DESTROY,
  });
}

/** The right to write into a log. */
export function loggingStatement(logs: ILogGroup): PolicyStatement {
  return new PolicyStatement({ actions: ["logs:CreateLogStream", "logs:PutLogEvents"], resources: [logs.logGroupArn] });
}

type Props = {
  /** The name of the definition, the bundle and the construct. */
  name: string;
  access: TableAccess;
  statements?: PolicyStatement[];
  environment?: Environment;
  memorySize: number;
  timeout: Duration;
  reservedConcurrentExecutions?: number;
  callsDeliver?: boolean;
  /** Whether calls are sampled for X-Ray; by default they are. */
  traced?: boolean;
  /** Gets the event of an asynchronous call that failed for good. */
  deadLetterQueue?: IQueue;
};

export const DELIVER = "deliver";

/** What a function needs to call it; nothing for `sam local`. */
function callingDeliver(scope: Construct, { prefix, context }: Service) {
  if (context.local) return { statements: [] };
  const resourceName = `${prefix}-${DELIVER}`;
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  const arn = Stack.of(scope).formatArn({ service: "lambda", resource: "function", resourceName, arnFormat });
  const host = `lambda.${Stack.of(scope).region}.${Stack.of(scope).urlSuffix}`;
  return {
    environment: { DELIVER_URL: `https://${host}/2015-03-31/functions/${resourceName}/invocations` },
    statements: [new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [arn] })],
  };
}

/** A Lambda function with its own role. `sam local` finds it by name, as a direct child of the stack. */
export class ServiceFunction extends lambda.Function {
  constructor(
    scope: Construct,
    service: Service,
    { name, access, statements = [], environment, callsDeliver = false, traced = true, ...size }: Props,
  ) {
    const functionName = `${service.prefix}-${name}`;
    const calling = callsDeliver ? callingDeliver(scope, service) : undefined;
    const policy = new PolicyDocument({
      statements: [
        ...tableStatements(access, service.table.tableArn, service.context.leadingKeys),
        ...statements,
        ...(calling?.statements ?? []),
        loggingStatement(service.logs),
      ],
    });
    const role = new Role(scope, `${name}-role`, {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      description: `What ${name} may do: derived from its definition`,
      inlinePolicies: { definition: policy },
    });
    if (traced) role.addManagedPolicy(service.tracing);
    super(scope, name, {
      functionName,
      description: `Feedback Board ${service.context.stageName}: ${name}`,
      runtime: lambda.Runtime.NODEJS_24_X,
      // Cheaper than x86_64 and, for this work, as fast. `sam local` runs what this machine runs.
      architecture:
        service.context.local && process.arch !== "arm64" ? lambda.Architecture.X86_64 : lambda.Architecture.ARM_64,
      code: lambda.Code.fromAsset(join(service.bundles, name)),
      handler: "index.handler",
      role: role.withoutPolicyUpdates(),
      logGroup: service.logs,
      loggingFormat: lambda.LoggingFormat.JSON,
      applicationLogLevelV2: lambda.ApplicationLogLevel.INFO,
      // No lines for the start and end of calls: metrics have them.
      systemLogLevelV2: lambda.SystemLogLevel.WARN,
      tracing: traced ? lambda.Tracing.ACTIVE : lambda.Tracing.DISABLED,
      environment: { ...service.environment, ...environment, ...calling?.environment } as Record<string, string>,
      ...size,
    });
  }
}
