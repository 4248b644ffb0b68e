import { join } from "node:path";
import { type Duration, RemovalPolicy, type Stack } from "aws-cdk-lib";
import type { ITable } from "aws-cdk-lib/aws-dynamodb";
import { type IManagedPolicy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import * as lambda from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import type { TableAccess } from "../../lib/data/access.ts";
import type { SettingName } from "../../lib/runtime/settings.ts";
import type { DeploymentContext } from "./context.ts";
import { tableStatements } from "./policies.ts";

/** Environment variables of a function: settings of lib/runtime/settings.ts, and what the runtime itself reads. */
export type Environment = Partial<Record<SettingName | "UV_THREADPOOL_SIZE", string>>;

/** What all functions of a deployment share. */
export type Service = {
  context: DeploymentContext;
  /** What the names of functions and log groups begin with. */
  prefix: string;
  /** The folder that holds `<name>/index.mjs` of each function. */
  bundles: string;
  table: ITable;
  /** What every function may do besides: send traces. */
  tracing: IManagedPolicy;
  settings: Environment;
};

/** The tag that tells to which deployment a resource belongs. */
export const SERVICE_TAG = "service";

/** How long logs are kept. */
export const LOG_RETENTION = RetentionDays.ONE_MONTH;

type Props = {
  /** Of the definition, the bundle and the construct. */
  name: string;
  access: TableAccess;
  statements?: PolicyStatement[];
  environment?: Environment;
  memorySize: number;
  timeout: Duration;
  /** Takes what an asynchronous call could not do. */
  deadLetterQueue?: IQueue;
};

const hostArchitecture = () => (process.arch === "arm64" ? lambda.Architecture.ARM_64 : lambda.Architecture.X86_64);

/** One Lambda function of the service, with a role and a log group of its own; a direct child of the stack, as `sam local` wants it. */
export class ServiceFunction extends lambda.Function {
  readonly logs: LogGroup;

  constructor(stack: Stack, service: Service, { name, access, statements = [], environment, ...size }: Props) {
    const functionName = `${service.prefix}-${name}`;
    const logs = new LogGroup(stack, `${name}-logs`, {
      logGroupName: `/aws/lambda/${functionName}`,
      retention: LOG_RETENTION,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = roleOf(stack, name, [
      ...tableStatements(access, service.table.tableArn, service.context.leadingKeys),
      ...statements,
      new PolicyStatement({ actions: ["logs:CreateLogStream", "logs:PutLogEvents"], resources: [logs.logGroupArn] }),
    ]);
    role.addManagedPolicy(service.tracing);
    super(stack, name, {
      functionName,
      description: `Feedback Board ${service.context.stageName}: ${name}`,
      runtime: lambda.Runtime.NODEJS_24_X,
      // The cheaper and, for this work, no slower of the two.
      architecture: service.context.local ? hostArchitecture() : lambda.Architecture.ARM_64,
      code: lambda.Code.fromAsset(join(service.bundles, name)),
      handler: "index.handler",
      role: role.withoutPolicyUpdates(),
      logGroup: logs,
      loggingFormat: lambda.LoggingFormat.JSON,
      applicationLogLevelV2: lambda.ApplicationLogLevel.INFO,
      // Start and end of every call are in the metrics; what went wrong is logged.
      systemLogLevelV2: lambda.SystemLogLevel.WARN,
      tracing: lambda.Tracing.ACTIVE,
      environment: { ...service.settings, ...environment } as Record<string, string>,
      ...size,
    });
    this.logs = logs;
  }
}

const roleOf = (scope: Construct, name: string, statements: PolicyStatement[]): Role =>
  new Role(scope, `${name}-role`, {
    assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    description: `What ${name} may do: derived from its definition`,
    inlinePolicies: { definition: new PolicyDocument({ statements }) },
  });
