import { BatchWriteCommand, PutCommand, QueryCommand, ScanCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { work as announce } from "../../functions/background/announce.ts";
import { work as derive } from "../../functions/background/derive.ts";
import { backgroundFunctions } from "../../functions/background/index.ts";
import { work as sweep } from "../../functions/background/sweep.ts";
import { groups } from "../../functions/index.ts";
import { handler as deliver } from "../../functions/scheduled/deliver.ts";
import * as tokens from "../../lib/auth/tokens.ts";
import type { Work } from "../../lib/background.ts";
import { defineEndpoint, type Endpoint } from "../../lib/endpoint.ts";
import { grantsOf } from "../../lib/http/definition.ts";
import { migrate } from "../../lib/migrations/migrate.ts";
import { environment } from "../../lib/runtime/environment.ts";
import type { TableAccess } from "../../lib/table/access.ts";
import { documentClient } from "../../lib/table/client.ts";
import { key } from "../../lib/table/keys.ts";
import { create, update } from "../../lib/table/parts.ts";
import { get, getMany } from "../../lib/table/reads.ts";
import { transact } from "../../lib/table/transactions.ts";
import { newId } from "../../lib/values/ids.ts";
import { carryOutAll, eventOf, functionFor, invoke, lambdaContext } from "../support/http/invoke.ts";
import { startReceiver } from "../support/process/receiver.ts";
import { freshTable, newContainer } from "../support/setup.ts";
import { type AccessRequest, allows, grantsOn, requestsOf, uses } from "../support/stack/iam.ts";
import { functionsOf, type Template, tableArnOf, templateOf } from "../support/stack/stack.ts";
import { keyUsers, recordCalls, type StoreCall } from "../support/store/calls.ts";
import { anything } from "../support/store/items.ts";
import { endpointsWithExample } from "../support/world/examples.ts";
import { type Exercised, exercise, exerciseBackground, rightsIn, usesOf } from "../support/world/exercises.ts";
import { aComment, aMember, aPost, aWebhook } from "../support/world/fixtures.ts";

// A function makes exactly the calls of the table that its definition grants, and its IAM policy allows exactly these.

const exercises = new Map<string, Promise<Exercised>>();

/** The works that a work calls, and whose rights it has. */
function calledBy(work: Work): readonly Work[] {
  return work === sweep ? [derive] : [];
}

/** What an endpoint or a work does: each is exercised once, and judged by its definition and by IAM. */
function exercised(what: Endpoint | Work): Promise<Exercised> {
  const { name } = what.definition;
  const running =
    exercises.get(name) ??
    ("carryOut" in what ? exerciseBackground(functionFor(what, ...calledBy(what))) : exercise(what));
  exercises.set(name, running);
  return running;
}

/** Fails where calls and rights differ, with what to do about it. */
function expectExact(calls: StoreCall[], table: TableAccess, what: string): void {
  const hint = `${what}: take away the right that is not used, or add a request that uses it to "further" in test/support/world/exercises.ts`;
  expect([...usesOf(calls)].sort(), hint).toEqual([...rightsIn(table)].sort());
}

describe("a function", () => {
  it.each(endpointsWithExample)(
    "uses exactly the grants of its definition: $name",
    async ({ endpoint: { definition }, endpoint }) => {
      const { calls, own } = await exercised(endpoint);
      expectExact(own, definition.table, `"table" of ${definition.name}`);
      expectExact(calls, grantsOf(definition), `grantsOf(${definition.name})`);
    },
  );

  it.each(backgroundFunctions.flatMap(({ definition }) => definition.works))(
    "uses exactly the grants of its work in the background: $definition.name",
    async (work) => {
      const { calls, own } = await exercised(work);
      expectExact(own, work.definition.table, `"table" of ${work.definition.name}`);
      const { table } = functionFor(work, ...calledBy(work)).definition;
      expectExact(calls, table, `a function that carries out ${work.definition.name}`);
    },
  );
});

const template = templateOf();
const wide = templateOf({ leadingKeys: "off" });

/** The requests to IAM for some calls of a function, and the ones that its policy denies. */
function judge(deployed: Template, name: string, calls: StoreCall[], change = (request: AccessRequest) => request) {
  const statements = functionsOf(deployed)[name]?.statements ?? [];
  const requests = calls.flatMap((call) => requestsOf(call, tableArnOf(deployed))).map(change);
  return { statements, requests, denied: requests.filter((request) => !allows(statements, request)) };
}

describe("the policy of a deployed function", () => {
  /** A request to IAM, should DynamoDB tell only the keys of the seven calls that its guide lists. */
  const withoutKeysOfParts = (request: AccessRequest): AccessRequest => {
    const { "dynamodb:LeadingKeys": keys, ...context } = request.context;
    const isPart = "dynamodb:EnclosingOperation" in context || request.action === "dynamodb:ConditionCheckItem";
    return isPart ? { ...request, context } : request;
  };

  /** No call is denied, with leadingKeys=off neither, and no right to items is unused. */
  const expectExactPolicy = (name: string, calls: StoreCall[]): void => {
    const { statements, requests, denied } = judge(template, name, calls);
    expect(denied).toEqual([]);
    expect(grantsOn(statements).filter((grant) => !requests.some((request) => uses(request, grant)))).toEqual([]);
    expect(judge(wide, name, calls).denied).toEqual([]);
    expect(judge(wide, name, calls, withoutKeysOfParts).denied).toEqual([]);
  };

  it.each(groups)("allows what the endpoints of $name do, and nothing else", async ({ name, endpoints }) => {
    const calls: StoreCall[] = [];
    for (const endpoint of endpoints) calls.push(...(await exercised(endpoint)).calls);
    expectExactPolicy(name, calls);
    const { statements } = judge(template, name, []);
    const mayReadSecret = statements.some(({ Action }) => Action === "secretsmanager:GetSecretValue");
    expect(mayReadSecret).toBe(endpoints.some(({ definition }) => keyUsers.has(definition.name)));
  });

  it.each(backgroundFunctions)(
    "allows what the works of $definition.name do, and nothing else",
    async ({ definition }) => {
      const calls: StoreCall[] = [];
      for (const work of definition.works) calls.push(...(await exercised(work)).calls);
      expectExactPolicy(definition.name, calls);
    },
  );

  it("allows what deliver does with events and pings, and nothing else", async () => {
    await freshTable();
    newContainer({ WEBHOOK_PRIVATE_TARGETS: "on" });
    const [author, receiver] = [await aMember(), await startReceiver()];
    const hooks = [
      await aWebhook(author, { url: receiver.url }),
      await aWebhook(author, { url: "http://127.0.0.1:1/" }),
    ];
    receiver.secrets = [hooks[0]?.secret ?? ""];
    receiver.answer = (response, { type }) => response.writeHead(type === "comment.created" ? 410 : 204).end();
    const { postId } = await aPost(author);
    await aComment(postId, author);
    expect(await carryOutAll(announce)).toBe(true);
    const { calls } = await recordCalls(async () => {
      await deliver({});
      await deliver({ ping: hooks[0]?.webhook.webhookId ?? "" });
    });
    expectExactPolicy("deliver", calls);
    const statements = JSON.stringify(judge(template, "deliver", []).statements);
    expect(statements).not.toMatch(/USER|CREDENTIALS|NOTES|API_KEYS|MAIL_TOKEN|secretsmanager/);
    newContainer({ WEBHOOK_PRIVATE_TARGETS: "" });
  });

  it("allows what the migrations do, and nothing else", async () => {
    await freshTable();
    expectExactPolicy("migrate", (await recordCalls(() => migrate())).calls);
  });
});

describe("leadingKeys=off", () => {
  const mayVote = (deployed: Template, action: string, context: AccessRequest["context"]): boolean => {
    const statements = functionsOf(deployed)["votes-add"]?.statements ?? [];
    return allows(statements, { action: `dynamodb:${action}`, resource: tableArnOf(deployed), context });
  };
  const inTransaction = { "dynamodb:EnclosingOperation": ["TransactWriteItems"] };

  it("allows writes if DynamoDB does not tell IAM the keys of a transaction's parts", () => {
    expect(mayVote(template, "PutItem", inTransaction)).toBe(false);
    expect(mayVote(wide, "PutItem", inTransaction)).toBe(true);
  });

  it("widens the writes in transactions and nothing else", () => {
    const [own, foreign] = [{ "dynamodb:LeadingKeys": ["USER#1"] }, { "dynamodb:LeadingKeys": ["CREDENTIALS#1"] }];
    expect(mayVote(wide, "GetItem", own)).toBe(true);
    for (const action of ["GetItem", "Query", "BatchGetItem", "UpdateItem", "PutItem", "Scan", "BatchWriteItem"]) {
      expect(mayVote(wide, action, foreign), action).toBe(false);
      expect(mayVote(wide, action, {}), action).toBe(false);
    }
    expect(mayVote(wide, "PutItem", own)).toBe(false);
    expect(mayVote(wide, "DeleteItem", { ...own, ...inTransaction })).toBe(false);
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
    response: z.object({}),
    table: { USER: ["get", "put"], POSTS: ["get", "update"], VOTES: ["query", "put"] },
    trace: () => ({}),
    handle: async () => {
      await work();
      return {};
    },
  });
}

describe("an endpoint that does more than its definition says", () => {
  const own = templateOf(
    {},
    { groups: [{ name: NAME, endpoints: [mutant(async () => {})] }], backgroundFunctions: [] },
  );

  /** Does some work in the function. Returns the requests that its policy denies, as `action FAMILY,FAMILY`. */
  const deniedOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    const endpoint = mutant(work);
    const { result, calls } = await recordCalls(() => endpoint(eventOf(endpoint, {}), lambdaContext()));
    expect(result.statusCode).toBe(200);
    expect(calls.length).toBeGreaterThan(0);
    return judge(own, NAME, calls).denied.map(({ action, context }) => {
      return `${action} ${(context["dynamodb:LeadingKeys"] ?? []).map((pk) => pk.split("#", 1)[0])}`;
    });
  };

  const table = () => ({ TableName: environment().TABLE_NAME });
  const send = (command: object) => documentClient().send(command as ScanCommand);

  it("may do what its definition says", async () => {
    const { userId } = await aMember();
    const { postId } = await aPost(await aMember());
    const work = async () => {
      await get(key.user(userId), anything);
      await transact({
        userVote: create(key.userVote(userId, newId()), { voteId: "v" }),
        voters: update(key.voters(postId), "SET edge = :edge", { values: { ":edge": "v" } }),
      });
    };
    expect((await invoke(mutant(work), {})).status).toBe(200);
    expect(await deniedOf(work)).toEqual([]);
  });

  const values = { ":edge": "v" };
  const updateAlone = () => ({ UpdateExpression: "SET edge = :edge", ExpressionAttributeValues: values, ...table() });
  const query = () => ({
    KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: { ":pk": "POSTS" },
    ...table(),
  });
  const batch = () => ({
    RequestItems: { [environment().TABLE_NAME]: [{ PutRequest: { Item: key.userVote("u", "p") } }] },
  });
  const foreignPart = () =>
    transact({ own: create(key.userVote("u", newId())), foreign: create(key.credentials(newId())) });

  it.each<[what: string, work: () => Promise<unknown>, denied: string]>([
    ["an update alone", () => send(new UpdateCommand({ Key: key.voters("p"), ...updateAlone() })), "UpdateItem POSTS"],
    ["a put alone", () => send(new PutCommand({ Item: key.userVote("u", "p"), ...table() })), "PutItem USER"],
    ["another family", () => get(key.credentials("u"), anything), "GetItem CREDENTIALS"],
    ["a part on another family", foreignPart, "PutItem CREDENTIALS"],
    [
      "a batch with another family",
      () => getMany([key.user("u"), key.credentials("u")], anything),
      "BatchGetItem USER,CREDENTIALS",
    ],
    ["another action on its family", () => send(new QueryCommand(query())), "Query POSTS"],
    ["a Scan", () => send(new ScanCommand(table())), "Scan "],
    ["a BatchWriteItem", () => send(new BatchWriteCommand(batch())), "BatchWriteItem "],
  ])("fails at %s, by its definition and by IAM", async (_, work, denied) => {
    await expect(invoke(mutant(work), {})).rejects.toThrow("the definition of mutant does not grant");
    expect(await deniedOf(work)).toEqual([`dynamodb:${denied}`]);
  });

  it("fails at the signing key, if it neither checks nor issues tokens", async () => {
    const author = await aMember();
    const refusal = "the definition of mutant neither issues tokens nor looks at them";
    const issue = () => tokens.issue(author);
    await expect(invoke(mutant(issue), {})).rejects.toThrow(refusal);
    // jose takes an error of WebCrypto for a wrong signature.
    const verify = async () => expect(await tokens.verify(author.token)).toBeDefined();
    await expect(invoke(mutant(verify), {})).rejects.toThrow(refusal);
    await verify();
  });
});
