import { describe, expect, it } from "vitest";
import { work as announce } from "../../functions/background/announce.ts";
import { work as followUp } from "../../functions/background/derive.ts";
import { backgroundFunctions } from "../../functions/background/index.ts";
import { work as sweep } from "../../functions/background/sweep.ts";
import { groups } from "../../functions/index.ts";
import { handler as deliver, table } from "../../functions/scheduled/deliver.ts";
import type { Work } from "../../lib/background.ts";
import { derive } from "../../lib/cleanup/derived-rows.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { grantsOf } from "../../lib/http/definition.ts";
import { migrate } from "../../lib/migrations/migrate.ts";
import * as subscriptions from "../../lib/posts/subscriptions.ts";
import type { TableAccess } from "../../lib/table/access.ts";
import { newId } from "../../lib/values/ids.ts";
import { carryOutAll, functionFor } from "../support/http/invoke.ts";
import { startReceiver } from "../support/process/receiver.ts";
import { freshTable, newContainer } from "../support/setup.ts";
import { type AccessRequest, allows, grantsOn, requestsOf, uses } from "../support/stack/iam.ts";
import { functionsOf, type Template, tableArnOf, templateOf } from "../support/stack/stack.ts";
import { keyUsers, recordCalls, type StoreCall } from "../support/store/calls.ts";
import { aWorld, endpointsWithExample } from "../support/world/examples.ts";
import {
  type Exercised,
  exercise,
  exerciseBackground,
  fenceBehind,
  rightsIn,
  usesOf,
} from "../support/world/exercises.ts";
import { aComment, aMember, aPost, aVote, aWebhook, settleCatalogue } from "../support/world/fixtures.ts";
import { makeVersion4 } from "../support/world/version-4.ts";

// A function makes exactly the calls of the table that its definition grants, and its IAM policy allows exactly these.

const exercises = new Map<string, Promise<Exercised>>();

/** The works that a work calls, and whose rights it has. */
function calledBy(work: Work): readonly Work[] {
  return work === sweep ? [followUp] : [];
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

  it.each([
    ["PROVIDER_SECRETS", ["auth-oidc", "provider-sign-ins"]],
    ["SSO_SECRET", ["auth-sso", "identities"]],
  ])("lets only functions that sign in or link read %s", (family, names) => {
    const reading = Object.entries(functionsOf(template)).filter(([, { statements }]) =>
      grantsOn(statements).some(({ action, pattern }) => pattern === family && /Get|Query|Scan/.test(action)),
    );
    expect(reading.map(([name]) => name).sort()).toEqual(names);
  });

  it("allows what deliver does with events and pings, and nothing else", async () => {
    await freshTable();
    newContainer({ WEBHOOK_PRIVATE_TARGETS: "on" });
    const author = await aMember();
    const receiver = await startReceiver();
    const hooks = [
      await aWebhook(author, { url: receiver.url }),
      await aWebhook(author, { url: "http://127.0.0.1:1/" }),
    ];
    receiver.secrets = [hooks[0]?.secret ?? ""];
    receiver.answer = (response, { type }) => response.writeHead(type === "comment.created" ? 410 : 204).end();
    const { postId } = await aPost(author);
    await aComment(postId, author);
    expect(await carryOutAll(announce)).toBe(true);
    await settleCatalogue();
    const { calls } = await recordCalls(() => deliver({}));
    // Now it keeps the catalogue.
    await aPost(author);
    expect(await carryOutAll(announce)).toBe(true);
    const { calls: later } = await recordCalls(async () => {
      await deliver({});
      await deliver({ ping: hooks[0]?.webhook.webhookId ?? "" });
    });
    const fences = await fenceBehind(calls, { name: "deliver", table });
    expectExactPolicy("deliver", [...calls, ...later, ...fences]);
    const statements = JSON.stringify(judge(template, "deliver", []).statements);
    expect(statements).not.toMatch(/USER|CREDENTIALS|NOTES|API_KEYS|MAIL_TOKEN|secretsmanager/);
    newContainer({ WEBHOOK_PRIVATE_TARGETS: "" });
  });

  it("allows what the migrations do, and nothing else", async () => {
    await freshTable();
    const { author, board, roadmap } = await aWorld();
    const { postId } = await aPost(author, { boardId: board.boardId, roadmapId: roadmap.roadmapId, status: "a" });
    await aVote(postId, author);
    await derive(postId);
    await subscriptions.choose(author.userId, postId, true);
    // Of an account that was erased.
    await subscriptions.choose(newId(), postId, true);
    await makeVersion4();
    const { calls } = await recordCalls(() => migrate());
    expectExactPolicy("migrate", [...calls, ...(await fenceBehind(calls, undefined))]);
  });
});

describe("the policy of votes-add", () => {
  const allowed = (deployed: Template, action: string, keys: string[], context: AccessRequest["context"] = {}) =>
    allows(functionsOf(deployed)["votes-add"]?.statements ?? [], {
      action: `dynamodb:${action}`,
      resource: tableArnOf(deployed),
      context: { ...(keys.length > 0 && { "dynamodb:LeadingKeys": keys }), ...context },
    });
  const inTransaction = { "dynamodb:EnclosingOperation": ["TransactWriteItems"] };

  it("allows its reads, and its writes in a transaction", () => {
    for (const deployed of [template, wide]) {
      expect(allowed(deployed, "BatchGetItem", ["USER#1", "POSTS"])).toBe(true);
      expect(allowed(deployed, "PutItem", ["USER#1"], inTransaction)).toBe(true);
    }
  });

  it.each([
    ["another family", "GetItem", ["CREDENTIALS#1"]],
    ["a batch with another family", "BatchGetItem", ["USER#1", "CREDENTIALS#1"]],
    ["another action on its family", "Query", ["POSTS"]],
    ["an update alone", "UpdateItem", ["POSTS"]],
    ["a put alone", "PutItem", ["USER#1"]],
    ["a put of another family", "PutItem", ["CREDENTIALS#1"]],
    ["a Scan", "Scan", []],
    ["a BatchWriteItem", "BatchWriteItem", []],
    ["reads without keys", "GetItem", []],
  ])("denies %s, with leadingKeys=off too", (_, action, keys) => {
    expect([template, wide].map((deployed) => allowed(deployed, action, keys))).toEqual([false, false]);
  });

  it("widens with leadingKeys=off to writes of any key in transactions, by its own actions", () => {
    expect(allowed(template, "PutItem", ["CREDENTIALS#1"], inTransaction)).toBe(false);
    expect(allowed(template, "PutItem", [], inTransaction)).toBe(false);
    expect(allowed(wide, "PutItem", [], inTransaction)).toBe(true);
    expect(allowed(wide, "DeleteItem", ["USER#1"], inTransaction)).toBe(false);
  });
});
