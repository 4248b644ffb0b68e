import { describe, expect, it } from "vitest";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { documentFunctions } from "../../../functions/documents/index.ts";
import { endpoints, groups } from "../../../functions/index.ts";
import { scheduledFunctions } from "../../../functions/scheduled/index.ts";
import { SETTLE_SECONDS } from "../../../functions/scheduled/migrate.ts";
import { cors } from "../../../infra/stack/cors.ts";
import { LOG_RETENTION } from "../../../infra/stack/service-function.ts";
import { DAYS } from "../../../lib/accounts/erasures.ts";
import type { Group } from "../../../lib/group.ts";
import { changesItems, type Definition, usesSigningSecret } from "../../../lib/http/definition.ts";
import { routeKeyOf, routeKeysOf } from "../../../lib/http/routes.ts";
import { environment } from "../../../lib/runtime/environment.ts";
import { EXPIRY_ATTRIBUTE, tableShape } from "../../../lib/table/table-shape.ts";
import type { Statement } from "../../support/stack/iam.ts";
import { chosen, functionsOf, propertiesOf, resourcesOf, templateOf } from "../../support/stack/stack.ts";

const template = templateOf();
const functions = functionsOf(template);

function every(type: string) {
  return Object.values(resourcesOf(template, type)).map(({ Properties }) => Properties);
}

function only(type: string, from = template) {
  return propertiesOf(from, type);
}

function scheduleOf(expression: string) {
  return every("AWS::Events::Rule").find(({ ScheduleExpression }) => ScheduleExpression === expression);
}

const definitions = endpoints.map(({ definition }) => definition);
function someOf(group: Group, holds: (definition: Definition) => unknown): boolean {
  return group.endpoints.some(({ definition }) => holds(definition));
}

const DEFAULTS = { signInsPerSecond: 25, readsPerSecond: 20, writesPerSecond: 20 };

/** The calls a second that each kind of route admits, by the context: docs/deploy.md#deploy. */
function ratesOf(context: Record<keyof typeof DEFAULTS, string | number>) {
  const reads = Number(context.readsPerSecond);
  const writes = Number(context.writesPerSecond);
  return {
    signIns: Number(context.signInsPerSecond),
    reads,
    otherReads: Math.ceil(0.75 * reads),
    writes,
    otherWrites: Math.ceil(writes / 2),
    teams: Math.ceil(writes / 4),
  };
}

function throttlesIn({ StageName, AutoDeploy, RouteSettings }: ReturnType<typeof only>): Record<string, string[]> {
  expect({ StageName, AutoDeploy }).toEqual({ StageName: "$default", AutoDeploy: true });
  const rates = definitions.map((each) => [each.name, RouteSettings[routeKeyOf(each)]] as const);
  for (const [name, { ThrottlingRateLimit, ThrottlingBurstLimit }] of rates) {
    expect(ThrottlingBurstLimit, name).toBe(10 * ThrottlingRateLimit);
  }
  const groups = Map.groupBy(rates, ([, { ThrottlingRateLimit }]) => ThrottlingRateLimit);
  return Object.fromEntries([...groups].map(([rate, group]) => [rate, group.map(([name]) => name)]));
}

describe("the stack: API", () => {
  it("every endpoint has its route, which leads to its function", () => {
    const integrations = resourcesOf(template, "AWS::ApiGatewayV2::Integration");
    const led = every("AWS::ApiGatewayV2::Route").map(({ RouteKey, Target }) => {
      const [, [, { Ref }]] = Target["Fn::Join"];
      const { IntegrationUri, PayloadFormatVersion, IntegrationType } = integrations[Ref]?.Properties ?? {};
      expect(IntegrationType).toBe("AWS_PROXY");
      expect(PayloadFormatVersion).toBe("2.0");
      const [id] = IntegrationUri["Fn::GetAtt"];
      return [RouteKey, Object.keys(functions).find((name) => functions[name]?.id === id)];
    });
    const expected = groups.flatMap(({ name, endpoints }) =>
      endpoints.flatMap(({ definition }) => routeKeysOf(definition).map((routeKey) => [routeKey, name])),
    );
    const documents = Object.entries(documentFunctions).flatMap(([name, path]) =>
      ["GET", "HEAD"].map((method) => [`${method} ${path}`, name]),
    );
    expect(led.sort()).toEqual([...expected, ...documents].sort());
  });

  it("any origin may call, without credentials, as with npm start", () => {
    expect(only("AWS::ApiGatewayV2::Api").CorsConfiguration).toEqual({
      AllowOrigins: ["*"],
      AllowMethods: ["DELETE", "GET", "PATCH", "POST", "PUT"],
      AllowHeaders: cors.allowHeaders,
      ExposeHeaders: cors.exposeHeaders,
      AllowCredentials: false,
      MaxAge: cors.maxAgeSeconds,
    });
  });

  const stage = only("AWS::ApiGatewayV2::Stage");

  it("every route is throttled: sign-ins, public reads, writes of the contract, the team's routes and the rest", () => {
    const byDefault = throttlesIn(stage);
    expect(new Set(Object.keys(byDefault).map(Number))).toEqual(new Set(Object.values(ratesOf(DEFAULTS))));
    const signIns = [
      "auth-sign-up",
      "auth-log-in",
      "auth-magic-verify",
      "auth-two-factor",
      "auth-two-factor-enrol",
      "auth-oidc",
      "auth-sso",
    ];
    expect(byDefault[25]).toEqual(signIns);
    expect(byDefault[5]).toEqual(expect.arrayContaining(["webhooks-list", "users-list", "boards-create"]));
    expect(byDefault[10]).toEqual(expect.arrayContaining(["auth-set-up", "posts-update", "users-profile"]));
    expect(stage.DefaultRouteSettings.ThrottlingRateLimit).toBe(50);
  });

  it("the context sets the throttles", () => {
    const before = throttlesIn(stage);
    const now = throttlesIn(only("AWS::ApiGatewayV2::Stage", templateOf(chosen)));
    const byDefault = ratesOf(DEFAULTS);
    const asChosen = ratesOf(chosen);
    for (const kind of ["signIns", "otherReads", "otherWrites", "teams"] as const) {
      expect(now[asChosen[kind]], kind).toEqual(before[byDefault[kind]]);
    }
    const reads = now[asChosen.reads] ?? [];
    const writes = now[asChosen.writes] ?? [];
    expect([...reads, ...writes].sort()).toEqual(before[byDefault.reads]?.toSorted());
    for (const each of definitions.filter(({ name }) => reads.includes(name) || writes.includes(name))) {
      expect(each.contract, each.name).toBeDefined();
      if (changesItems(each)) expect(writes).toContain(each.name);
    }
    expect(Object.keys(now)).toHaveLength(Object.keys(asChosen).length);
  });

  it("the context reserves concurrency for the functions behind the API, and for no other", () => {
    const reservedIn = (from: typeof template) =>
      Object.entries(functionsOf(from))
        .map(([name, { properties }]) => [name, properties.ReservedConcurrentExecutions])
        .filter(([, reserved]) => reserved !== undefined);
    expect(reservedIn(template)).toEqual([]);
    expect(reservedIn(templateOf(chosen)).sort()).toEqual(groups.map(({ name }) => [name, 4]).sort());
  });

  it("a document has its own throttle, and its function no rights to the table", () => {
    const { RouteSettings } = only("AWS::ApiGatewayV2::Stage");
    for (const [name, path] of Object.entries(documentFunctions)) {
      expect(RouteSettings[`GET ${path}`]).toEqual({ ThrottlingRateLimit: 1, ThrottlingBurstLimit: 10 });
      expect(functions[name]?.statements.flatMap(({ Action }) => Action)).toEqual([
        "logs:CreateLogStream",
        "logs:PutLogEvents",
      ]);
    }
  });

  it("the stage is created after its routes, as CloudFormation demands", () => {
    const [stage] = Object.values(resourcesOf(template, "AWS::ApiGatewayV2::Stage"));
    expect(stage?.DependsOn).toEqual(
      expect.arrayContaining(Object.keys(resourcesOf(template, "AWS::ApiGatewayV2::Route"))),
    );
  });

  it("the access log has JSON lines without query, path, headers and addresses", () => {
    const format = JSON.parse(only("AWS::ApiGatewayV2::Stage").AccessLogSettings.Format);
    const ofAnswer = "status responseLength responseLatency integrationLatency integrationStatus error.responseType";
    const names = `requestId requestTime routeKey protocol ${ofAnswer}`.split(" ");
    expect(Object.values(format).sort()).toEqual(names.map((name) => `$context.${name}`).sort());
  });
});

describe("the stack: functions", () => {
  it("functions run on Node 24 on arm64, and log JSON into one group for a month", () => {
    const groups = resourcesOf(template, "AWS::Logs::LogGroup");
    for (const [name, { properties }] of Object.entries(functions)) {
      expect(properties, name).toMatchObject({
        Runtime: "nodejs24.x",
        Architectures: ["arm64"],
        Handler: "index.handler",
        LoggingConfig: { LogFormat: "JSON" },
      });
      expect(groups[properties.LoggingConfig.LogGroup.Ref]?.Properties, name).toMatchObject({
        LogGroupName: "/aws/lambda/feedback-board-dev",
        RetentionInDays: 30,
      });
    }
    expect(Object.values(groups).every(({ Properties }) => Properties.RetentionInDays === 30)).toBe(true);
  });

  it("all functions are traced but the ones that are called each minute", () => {
    const background = [...backgroundFunctions.map(({ definition }) => definition.name), "deliver"];
    for (const [name, { properties }] of Object.entries(functions)) {
      expect(properties.TracingConfig, name).toEqual(background.includes(name) ? undefined : { Mode: "Active" });
    }
  });

  it("functions that hash have a whole core, and every request has at most ten seconds", () => {
    for (const group of groups) {
      const { name } = group;
      const hashes = someOf(group, (definition) => definition.hashesPasswords);
      const { MemorySize, Timeout, Environment } = functions[name]?.properties ?? {};
      expect(MemorySize, name).toEqual(hashes ? 1769 : 1024);
      expect(Timeout, name).toBe(10);
      expect(Environment.Variables.UV_THREADPOOL_SIZE, name).toBe(hashes ? "1" : undefined);
    }
  });

  it("only functions that issue or verify tokens may read the signing secret, and have its name", () => {
    const expected = groups.filter((group) => someOf(group, usesSigningSecret)).map(({ name }) => name);
    for (const [name, { properties, statements }] of Object.entries(functions)) {
      const mayRead = statements.some(({ Action }) => Action === "secretsmanager:GetSecretValue");
      const knows = "SIGNING_SECRET_ARN" in properties.Environment.Variables;
      expect({ mayRead, knows }, name).toEqual({ mayRead: expected.includes(name), knows: mayRead });
    }
  });

  it("every variable of a function is one that lib/runtime/environment.ts reads", () => {
    const before = process.env;
    for (const { properties } of [template, templateOf(chosen)].flatMap((each) => Object.values(functionsOf(each)))) {
      const variables = Object.entries<unknown>(properties.Environment.Variables);
      process.env = Object.fromEntries(
        variables.map(([name, value]) => [name, typeof value === "string" ? value : "from CloudFormation"]),
      );
      expect(environment().TABLE_NAME).toBe("from CloudFormation");
    }
    process.env = before;
  });
});

describe("the stack: table and background work", () => {
  it("the table has the shape of the local one, is on demand, recoverable, encrypted and retained", () => {
    const [table] = Object.values(resourcesOf(template, "AWS::DynamoDB::Table"));
    expect(table).toMatchObject({
      UpdateReplacePolicy: "Retain",
      DeletionPolicy: "Retain",
      Properties: {
        AttributeDefinitions: tableShape.AttributeDefinitions,
        KeySchema: tableShape.KeySchema,
        BillingMode: tableShape.BillingMode,
        OnDemandThroughput: { MaxReadRequestUnits: 1500, MaxWriteRequestUnits: 750 },
        // Readers of the stream see keys without values.
        StreamSpecification: { StreamViewType: "KEYS_ONLY" },
        TimeToLiveSpecification: { AttributeName: EXPIRY_ATTRIBUTE, Enabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true },
        DeletionProtectionEnabled: true,
      },
    });
  });

  it("the context sets the table's limits, and a budget for a day that mails alarmEmail", () => {
    const { OnDemandThroughput } = only("AWS::DynamoDB::Table", templateOf(chosen));
    expect(OnDemandThroughput).toEqual({ MaxReadRequestUnits: 7, MaxWriteRequestUnits: 8 });
    expect(resourcesOf(template, "AWS::Budgets::Budget")).toEqual({});
    expect(only("AWS::Budgets::Budget", templateOf(chosen))).toMatchObject({
      Budget: { BudgetType: "COST", TimeUnit: "DAILY", BudgetLimit: { Amount: 25, Unit: "USD" } },
      NotificationsWithSubscribers: [
        {
          Notification: { NotificationType: "ACTUAL", ComparisonOperator: "GREATER_THAN", Threshold: 100 },
          Subscribers: [{ SubscriptionType: "EMAIL", Address: chosen.alarmEmail }],
        },
      ],
    });
  });

  it("each background function gets the new items of its families, with bounded retries and a dead-letter queue", () => {
    const [queue] = Object.keys(resourcesOf(template, "AWS::SQS::Queue"));
    const mappings = every("AWS::Lambda::EventSourceMapping");
    for (const { definition } of backgroundFunctions) {
      const mapping = mappings.find(({ FunctionName }) => FunctionName.Ref === functions[definition.name]?.id);
      expect(mapping, definition.name).toMatchObject({
        FunctionResponseTypes: ["ReportBatchItemFailures"],
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: 10,
        MaximumRecordAgeInSeconds: 6 * 3600,
        DestinationConfig: { OnFailure: { Destination: { "Fn::GetAtt": [queue, "Arn"] } } },
      });
    }
    const of = (families: string, ...eventName: string[]) => ({
      eventName,
      dynamodb: { Keys: { pk: { S: families.split(" ") } } },
    });
    const filters = mappings.map(({ FilterCriteria }) =>
      FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern)),
    );
    // A follow-up gets every change but deletions. DynamoDB allows a stream two readers at most.
    const ofFollowUps = of("POSTS", "INSERT", "MODIFY");
    expect(filters.toSorted((a, b) => a.length - b.length)).toEqual([
      [of("OUTBOX NOTICES", "INSERT")],
      [of("DELETED RENAMES ERASURES EXPORTS MERGES NEWS EVENTS COUNTING", "INSERT"), ofFollowUps],
    ]);
    // The quota of an event source.
    for (const each of filters) expect(each.length).toBeLessThanOrEqual(5);
  });

  it("exports lie in a private bucket, which deletes what is left within two days", () => {
    const bucket = only("AWS::S3::Bucket");
    expect(Object.values(bucket.PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    expect(JSON.stringify(bucket.BucketEncryption)).toContain("AES256");
    expect(bucket.LifecycleConfiguration.Rules).toEqual([
      { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, ExpirationInDays: 1, Status: "Enabled" },
    ]);
    const { Statement: granted } = only("AWS::S3::BucketPolicy").PolicyDocument;
    expect(granted.map(({ Effect }: Statement) => Effect)).toEqual(["Deny"]);
  });

  it("only the writer of exports may change them, and one function behind the API may read them", () => {
    const [bucket = ""] = Object.keys(resourcesOf(template, "AWS::S3::Bucket"));
    const objects = { "Fn::Join": ["", [{ "Fn::GetAtt": [bucket, "Arn"] }, "/*"]] };
    const rights = Object.entries(functions).flatMap(([name, { statements, properties }]) => {
      const own = statements.filter(({ Action }) => JSON.stringify(Action).includes("s3:"));
      expect(properties.Environment?.Variables?.EXPORT_BUCKET_URL !== undefined, name).toBe(own.length > 0);
      return own.map(({ Action, Resource }) => ({ name, Action, Resource }));
    });
    expect(rights).toEqual([
      { name: "site-exports", Action: "s3:GetObject", Resource: objects },
      { name: "keep", Action: ["s3:DeleteObject", "s3:GetObject", "s3:PutObject"], Resource: objects },
    ]);
  });

  it("logs are kept as long as the receipt of a deleted account says", () => {
    expect(DAYS.logs).toBe(LOG_RETENTION);
  });

  it("each background function and deliver are called each minute", () => {
    const { State, Targets } = scheduleOf("rate(1 minute)");
    expect(State).toBe("ENABLED");
    const names = [...backgroundFunctions.map(({ definition }) => definition.name), "deliver"];
    const ids = names.map((name) => functions[name]?.id);
    expect(Targets.map(({ Arn }: { Arn: object }) => Arn)).toEqual(ids.map((id) => ({ "Fn::GetAtt": [id, "Arn"] })));
  });

  it("rotate-secret may rotate this secret and nothing else", () => {
    const [secret] = Object.keys(resourcesOf(template, "AWS::SecretsManager::Secret"));
    expect(functions["rotate-secret"]?.statements[0]).toEqual({
      Effect: "Allow",
      Action: [
        "secretsmanager:DescribeSecret",
        "secretsmanager:PutSecretValue",
        "secretsmanager:UpdateSecretVersionStage",
      ],
      Resource: { Ref: secret },
    });
  });

  it("migrate runs on a schedule, is deployed after all functions that write, and waits for their longest call", () => {
    const { id = "", properties } = functions.migrate ?? {};
    const others = Object.entries(functions).filter(
      ([name]) => ![...scheduledFunctions, ...Object.keys(documentFunctions)].includes(name),
    );
    expect(template.Resources[id]?.DependsOn).toEqual(expect.arrayContaining(others.map(([, other]) => other.id)));
    for (const [name, other] of others) expect(other.properties.Timeout, name).toBeLessThanOrEqual(SETTLE_SECONDS);
    expect(properties.Timeout).toBe(900);
    const { Targets } = scheduleOf("rate(15 minutes)");
    expect(Targets).toEqual([expect.objectContaining({ Arn: { "Fn::GetAtt": [id, "Arn"] } })]);
    // It waits for them by default: the schedule passes no settleSeconds.
    expect(Targets[0].Input).toBeUndefined();
  });

  it("Secrets Manager may call rotate-secret for this account, EventBridge migrate, API Gateway the others for this API", () => {
    const permissions = every("AWS::Lambda::Permission");
    const [rotation, ...others] = permissions.filter(({ Principal }) => Principal === "secretsmanager.amazonaws.com");
    expect(others).toEqual([]);
    expect(rotation).toMatchObject({ Action: "lambda:InvokeFunction", SourceAccount: { Ref: "AWS::AccountId" } });
    expect(rotation.FunctionName).toEqual({ "Fn::GetAtt": [functions["rotate-secret"]?.id, "Arn"] });
    for (const permission of permissions) {
      if (permission !== rotation) expect(permission).toMatchObject({ SourceArn: expect.anything() });
    }
  });

  it("the signing secret rotates by itself, after longer than a token lives; the template does not hold its value", () => {
    expect(only("AWS::SecretsManager::Secret")).toMatchObject({
      GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true },
    });
    expect(only("AWS::SecretsManager::RotationSchedule")).toMatchObject({
      RotationRules: { ScheduleExpression: "rate(90 days)" },
      RotateImmediatelyOnUpdate: false,
    });
    const text = JSON.stringify(template);
    for (const word of ['"SecretString"', 'SIGNING_SECRET"', "resolve:secretsmanager", "resolve:ssm"]) {
      expect(text).not.toContain(word);
    }
  });
});

describe("the stack: rights", () => {
  // How they are limited to keys and transactions: test/security/grants.test.ts.
  it("every granted action is named in full, and none is Scan or BatchWriteItem", () => {
    const statements = Object.values(template.Resources).flatMap(({ Properties }): Statement[] => [
      ...(Properties.PolicyDocument?.Statement ?? []),
      ...(Properties.Policies ?? []).flatMap(
        (each: { PolicyDocument: { Statement: Statement[] } }) => each.PolicyDocument.Statement,
      ),
    ]);
    const actions = statements.filter(({ Effect }) => Effect === "Allow").flatMap(({ Action }) => Action);
    expect(actions.length).toBeGreaterThan(100);
    expect(actions.filter((action) => /\*|Scan|BatchWrite|PartiQL/.test(action))).toEqual([]);
  });
});
