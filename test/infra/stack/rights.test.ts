import { BatchWriteCommand, PutCommand, QueryCommand, ScanCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { groups } from "../../../functions/index.ts";
import { defineEndpoint, type Endpoint } from "../../../lib/endpoint.ts";
import { migrate } from "../../../lib/migrations/migrate.ts";
import { settings } from "../../../lib/runtime/settings.ts";
import { documentClient } from "../../../lib/table/client.ts";
import { key } from "../../../lib/table/keys.ts";
import { create, update } from "../../../lib/table/parts.ts";
import { get, getMany } from "../../../lib/table/reads.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { eventOf, lambdaContext } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { type AccessRequest, allows, grantsOn, requestsOf, type Statement, uses } from "../../support/stack/iam.ts";
import { functionsOf, type Template, tableArnOf, templateOf } from "../../support/stack/stack.ts";
import { keyUsers, recordCalls, type StoreCall } from "../../support/store/calls.ts";
import { exercise, exerciseBackground } from "../../support/world/exercises.ts";
import { aMember, aPost } from "../../support/world/fixtures.ts";

/** The requests to IAM for some calls, and the ones that the statements deny as `action FAMILY,FAMILY`. */
function judge(template: Template, statements: Statement[], calls: StoreCall[]) {
  const requests = calls.flatMap((call) => requestsOf(call, tableArnOf(template)));
  const denied = requests.filter((request) => !allows(statements, request));
  const inShort = ({ action, context }: AccessRequest) =>
    `${action} ${(context["dynamodb:LeadingKeys"] ?? []).map((pk) => pk.split("#", 1)[0])}`;
  return { requests, denied: denied.map(inShort) };
}

const template = templateOf();
const wide = templateOf({ leadingKeys: "off" });

describe("least privilege: the calls of functions against the policies of the stack", () => {
  const functions = functionsOf(template);
  const wideFunctions = functionsOf(wide);

  /** A request to IAM, should DynamoDB tell only the keys of the seven calls that its guide lists. */
  const withoutKeysOfParts = (request: AccessRequest): AccessRequest => {
    const { "dynamodb:LeadingKeys": keys, ...context } = request.context;
    const isPart = "dynamodb:EnclosingOperation" in context || request.action === "dynamodb:ConditionCheckItem";
    return isPart ? { ...request, context } : request;
  };

  /** With leadingKeys=off the calls are allowed, with or without the keys of a transaction's parts. */
  const expectToWorkWithoutLeadingKeys = (name: string, calls: StoreCall[]): void => {
    const statements = wideFunctions[name]?.statements ?? [];
    const requests = calls.flatMap((call) => requestsOf(call, tableArnOf(wide)));
    for (const asked of [requests, requests.map(withoutKeysOfParts)]) {
      expect(asked.filter((request) => !allows(statements, request))).toEqual([]);
    }
  };

  /** No call is denied, and no right to items is unused. */
  const expectExact = (name: string, calls: StoreCall[]): void => {
    const statements = functions[name]?.statements ?? [];
    const { requests, denied } = judge(template, statements, calls);
    expect(denied).toEqual([]);
    expect(grantsOn(statements).filter((grant) => !requests.some((request) => uses(request, grant)))).toEqual([]);
    expectToWorkWithoutLeadingKeys(name, calls);
  };

  it.each(groups)("$name may do what its endpoints do, and nothing else", async ({ name, endpoints }) => {
    const calls: StoreCall[] = [];
    for (const endpoint of endpoints) calls.push(...(await exercise(endpoint)).calls);
    expectExact(name, calls);
    const statements = functions[name]?.statements ?? [];
    const mayReadSecret = statements.some(({ Action }) => Action === "secretsmanager:GetSecretValue");
    expect(mayReadSecret).toBe(endpoints.some(({ definition }) => keyUsers.has(definition.name)));
  });

  it("migrate may do what the migrations do, and nothing else", async () => {
    await freshTable();
    expectExact("migrate", (await recordCalls(() => migrate())).calls);
  });

  it.each(backgroundFunctions)("$definition.name may do what its work does, and nothing else", async (background) => {
    expectExact(background.definition.name, (await exerciseBackground(background)).calls);
  });
});

describe("leadingKeys=off", () => {
  const mayVote = (of: Template, action: string, context: AccessRequest["context"]): boolean =>
    allows(functionsOf(of)["votes-add"]?.statements ?? [], { action, resource: tableArnOf(of), context });

  const inTransaction = { "dynamodb:EnclosingOperation": ["TransactWriteItems"] };

  it("allows writes if DynamoDB does not tell IAM the keys of a transaction's parts", () => {
    expect(mayVote(template, "dynamodb:PutItem", inTransaction)).toBe(false);
    expect(mayVote(wide, "dynamodb:PutItem", inTransaction)).toBe(true);
  });

  it("widens the writes in transactions and nothing else", () => {
    const [own, foreign] = [{ "dynamodb:LeadingKeys": ["USER#1"] }, { "dynamodb:LeadingKeys": ["CREDENTIALS#1"] }];
    expect(mayVote(wide, "dynamodb:GetItem", own)).toBe(true);
    for (const action of ["GetItem", "Query", "BatchGetItem", "UpdateItem", "PutItem", "Scan", "BatchWriteItem"]) {
      expect(mayVote(wide, `dynamodb:${action}`, foreign), action).toBe(false);
      expect(mayVote(wide, `dynamodb:${action}`, {}), action).toBe(false);
    }
    expect(mayVote(wide, "dynamodb:PutItem", own)).toBe(false);
    expect(mayVote(wide, "dynamodb:DeleteItem", { ...own, ...inTransaction })).toBe(false);
  });
});

const NAME = "mutant";

/** An endpoint with the rights of votes-add that does something else. */
function mutant(work: () => Promise<unknown>): Endpoint {
  return defineEndpoint({
    name: NAME,
    route: "POST /mutant",
    access: "public",
    request: z.object({}),
    success: 200,
    response: z.object({}),
    errors: [],
    table: { USER: ["get", "put"], POSTS: ["get", "update"], VOTES: ["query", "put"] },
    handle: async () => {
      await work();
      return {};
    },
  });
}

describe("least privilege: functions that do more than their definition says", () => {
  const own = templateOf(
    {},
    { groups: [{ name: NAME, endpoints: [mutant(async () => {})] }], backgroundFunctions: [] },
  );

  /** Does some work in the function. Returns the requests that the policy denies. */
  const deniedOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    const endpoint = mutant(work);
    const { result, calls } = await recordCalls(() => endpoint(eventOf(endpoint, {}), lambdaContext()));
    expect(result.statusCode).toBe(200);
    expect(calls.length).toBeGreaterThan(0);
    return judge(own, functionsOf(own)[NAME]?.statements ?? [], calls).denied;
  };

  const command = () => ({ TableName: settings().tableName });
  const anything = z.unknown();

  it("a function may do what its definition says", async () => {
    const { userId } = await aMember();
    const { postId } = await aPost(await aMember());
    const work = async () => {
      await get(key.user(userId), anything);
      await transact({
        userVote: create(key.userVote(userId, postId), { voteId: "v" }),
        voters: update(key.voters(postId), "SET edge = :edge", { values: { ":edge": "v" } }),
      });
    };
    expect(await deniedOf(work)).toEqual([]);
  });

  it("a write outside of a transaction is denied", async () => {
    const { postId } = await aPost(await aMember());
    const updateAlone = new UpdateCommand({
      ...command(),
      Key: key.voters(postId),
      UpdateExpression: "SET edge = :edge",
      ExpressionAttributeValues: { ":edge": "v" },
    });
    expect(await deniedOf(() => documentClient().send(updateAlone))).toEqual(["dynamodb:UpdateItem POSTS"]);
    const putAlone = new PutCommand({ ...command(), Item: key.userVote("u", postId) });
    expect(await deniedOf(() => documentClient().send(putAlone))).toEqual(["dynamodb:PutItem USER"]);
  });

  it("another family is denied, also as a part of a transaction and as a key of a batch", async () => {
    const { userId } = await aMember();
    expect(await deniedOf(() => get(key.credentials(userId), anything))).toEqual(["dynamodb:GetItem CREDENTIALS"]);
    const parts = { own: create(key.userVote(userId, "p")), foreign: create(key.credentials("another")) };
    expect(await deniedOf(() => transact(parts))).toEqual(["dynamodb:PutItem CREDENTIALS"]);
    const batch = () => getMany([key.user(userId), key.credentials(userId)], anything);
    expect(await deniedOf(batch)).toEqual(["dynamodb:BatchGetItem USER,CREDENTIALS"]);
  });

  it("another action on a family of the definition is denied", async () => {
    const query = new QueryCommand({
      ...command(),
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": "POSTS" },
    });
    expect(await deniedOf(() => documentClient().send(query))).toEqual(["dynamodb:Query POSTS"]);
  });

  it("Scan and BatchWriteItem are denied", async () => {
    expect(await deniedOf(() => documentClient().send(new ScanCommand(command())))).toEqual(["dynamodb:Scan "]);
    const RequestItems = { [settings().tableName]: [{ PutRequest: { Item: key.userVote("u", "p") } }] };
    const batch = new BatchWriteCommand({ RequestItems });
    expect(await deniedOf(() => documentClient().send(batch))).toEqual(["dynamodb:BatchWriteItem "]);
  });
});
