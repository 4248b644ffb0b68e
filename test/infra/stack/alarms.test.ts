import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import { handler as send } from "../../../functions/background/send.ts";
import { work as sendMail } from "../../../functions/background/send-mail.ts";
import { documentFunctions } from "../../../functions/documents/index.ts";
import { groups } from "../../../functions/index.ts";
import * as outbox from "../../../lib/accounts/outbox.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { handOver, invoke, type Reply } from "../../support/http/invoke.ts";
import { alarmsOf, metricsOf, type Period, setOffBy } from "../../support/stack/alarms.ts";
import { chosen, functionsOf, resourcesOf, templateOf } from "../../support/stack/stack.ts";
import { startBadStore, turnTo } from "../../support/store/bad-store.ts";
import * as faults from "../../support/store/faults.ts";
import { aMember, aPost } from "../../support/world/fixtures.ts";

const template = templateOf(chosen);
const functions = functionsOf(template);
const alarms = alarmsOf(template);
const prefix = "feedback-board-dev-";

const names = alarms.map(({ AlarmName }) => AlarmName.slice(prefix.length)).sort();

describe("the alarms", () => {
  it("watch at most ten metrics each, and stay silent without data", () => {
    for (const alarm of alarms) {
      expect(metricsOf(alarm).length, alarm.AlarmName).toBeLessThanOrEqual(10);
      expect(alarm.TreatMissingData).toBe("notBreaching");
    }
    expect(setOffBy(template, [{}, {}, {}])).toEqual([]);
  });

  it("notify the topic, to which CloudWatch may publish over TLS, and which mails alarmEmail", () => {
    const [topic] = Object.keys(resourcesOf(template, "AWS::SNS::Topic"));
    for (const { AlarmActions, OKActions } of alarms) {
      expect([AlarmActions, OKActions]).toEqual([[{ Ref: topic }], [{ Ref: topic }]]);
    }
    const [policy] = Object.values(resourcesOf(template, "AWS::SNS::TopicPolicy"));
    expect(policy?.Properties.PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
      expect.objectContaining({
        Effect: "Allow",
        Principal: { Service: "cloudwatch.amazonaws.com" },
        Action: "sns:Publish",
      }),
    ]);
    const [mail, ...others] = Object.values(resourcesOf(template, "AWS::SNS::Subscription"));
    expect(mail?.Properties).toMatchObject({ Protocol: "email", Endpoint: chosen.alarmEmail });
    expect(others).toEqual([]);
  });

  it("each have a section in docs/operations.md with the remedy", () => {
    const sections = [...readFileSync("docs/operations.md", "utf8").matchAll(/^### ([\w-]+)$/gm)];
    expect(sections.map(([, name]) => name).sort()).toEqual(names);
    for (const { AlarmName, AlarmDescription } of alarms) {
      expect(AlarmDescription).toContain(`docs/operations.md#${AlarmName.slice(prefix.length)}`);
    }
  });
});

describe("the cost of the alarms", () => {
  const metrics = alarms.flatMap(metricsOf).length;
  const priceOf = (charged: number) => (Math.max(charged, 0) * 0.1).toFixed(2);

  it("matches docs/costs.md: ten metrics are free, an idle deployment costs at most 0.80 USD", () => {
    const text = readFileSync("docs/costs.md", "utf8");
    const [, table = ""] = /\*\*Idle, a month\*\*.*\n\n((?:\|.*\n)+)/.exec(text) ?? [];
    const [first, later] = [priceOf(metrics - 10), priceOf(metrics)];
    expect(table).toContain(
      `| Alarms | ${metrics} metrics, 10 of them free: ${Math.max(metrics - 10, 0)} × 0.10 | ${first} |`,
    );
    const prices = [...table.matchAll(/\| ([\d.]+) \|$/gm)].map(([, price]) => Number(price));
    const idle = prices.reduce((sum, price) => sum + price, 0);
    expect(prices).toHaveLength(5);
    expect(idle).toBeLessThanOrEqual(0.8);
    expect(table).toContain(`| **${idle.toFixed(2)}** |`);
    expect(readFileSync("README.md", "utf8")).toContain(`Idle, it costs ${idle.toFixed(2)} USD a month`);
    const second = idle - Number(first) + Number(later);
    expect(text).toContain(`${metrics} × 0.10 = ${later} for its alarms, ${second.toFixed(2)} in all`);
  });

  it("stays the same for any number of functions behind the API", () => {
    const few = alarmsOf(templateOf({}, { groups: groups.slice(0, 3) }));
    expect(few.flatMap(metricsOf)).toHaveLength(metrics);
  });
});

describe("server-errors", () => {
  const quiet = { "5xx": 0, Count: 50 };

  it.each<[string, Period, boolean]>([
    ["one answer of fifty", { "5xx": 1, Count: 50 }, false],
    ["two answers of fifty", { "5xx": 2, Count: 50 }, true],
    ["two answers of three hundred", { "5xx": 2, Count: 300 }, false],
    ["four answers of three hundred", { "5xx": 4, Count: 300 }, true],
    ["five answers of ten thousand", { "5xx": 5, Count: 10_000 }, false],
    ["six answers of ten thousand", { "5xx": 6, Count: 10_000 }, true],
  ])("judges %s, in two periods of three", (_, period, expected) => {
    expect(setOffBy(template, [period, quiet, period])).toEqual(expected ? ["server-errors"] : []);
    expect(setOffBy(template, [quiet, quiet, period])).toEqual([]);
  });
});

// AWS charges 0.10 USD a month for each metric, so no failure is watched twice.
describe("docs/operations.md, What sets off which alarm", () => {
  const leadsTo = (text: string): string[] => {
    const [, table = ""] =
      /^## What sets off which alarm$([\s\S]*?)^## /m.exec(readFileSync("docs/operations.md", "utf8")) ?? [];
    const row = table.split("\n").find((line) => line.startsWith(`| ${text} `));
    return [...(row?.split("|")[2] ?? "").matchAll(/[\w-]+/g)].map(([name]) => name).sort();
  };

  it.each<[string, Period]>([
    ["The table puts reads and writes off", { ReadThrottleEvents: 0, WriteThrottleEvents: 11 }],
    ["The account's concurrency is used up", { Throttles: 1 }],
  ])("%s: this sets off the named alarm", (failure, period) => {
    expect(leadsTo(failure)).toHaveLength(1);
    expect(setOffBy(template, [period, {}, period])).toEqual(leadsTo(failure));
  });

  /** The gateway's metrics if six callers get these answers in two periods. */
  const periodsOf = (replies: Reply[]): Period[] => {
    const period = { "5xx": 6 * replies.filter(({ status }) => status >= 500).length, Count: 6 * replies.length };
    return [period, { "5xx": 0, Count: 6 }, period];
  };

  it("a function behind the API that crashes sets off server-errors", () => {
    // The gateway's part of it: test/infra/local/gateway/gateway.test.ts; that all are behind it: stack.test.ts.
    const busy = { "5xx": 6, Count: 100_000 };
    expect(setOffBy(template, [busy, busy, busy])).toEqual(leadsTo("A function behind the API crashes or times out"));
  });

  it("a function that the stream feeds and that crashes sets off function-errors, outbox-age, then dead-letters", () => {
    // Where its records go in the end: stack.test.ts.
    const age = alarms.find(({ AlarmName }) => AlarmName.endsWith("outbox-age"));
    const watched = metricsOf(age).map(({ Dimensions }) => Dimensions?.[0]?.Value.Ref);
    for (const { definition } of backgroundFunctions) expect(watched).toContain(functions[definition.name]?.id);
    const late = { IteratorAge: 11 * 60_000 };
    const waits = setOffBy(template, [late, late, late]);
    const isNotHandedOver = setOffBy(template, [{ ApproximateNumberOfMessagesVisible: 1 }]);
    const crashes = setOffBy(template, [{ Errors: 1 }]);
    const expected = leadsTo("A function that the stream feeds crashes or times out");
    expect([...waits, ...isNotHandedOver, ...crashes].sort()).toEqual(expected);
  });

  it("any other function that no client calls sets off function-errors", () => {
    const behind = [...groups.map(({ name }) => name), ...Object.keys(documentFunctions)];
    const rest = Object.keys(functions).filter((name) => ![...behind, "migrate", "deliver"].includes(name));
    const alarm = alarms.find(({ AlarmName }) => AlarmName.endsWith("function-errors"));
    const watched = metricsOf(alarm).map(({ Dimensions }) => Dimensions?.[0]?.Value.Ref);
    expect(watched.sort()).toEqual(rest.map((name) => functions[name]?.id).sort());
    expect(setOffBy(template, [{ Errors: 1 }])).toEqual(leadsTo("The function that rotates the secret fails"));
  });

  it("a job that fails for more than ten minutes sets off function-errors", async () => {
    const failing = { dueAt: Date.now() + 3_600_000, tries: 9, since: Date.now() - 11 * 60_000, reason: "Error: no" };
    await due.putOff({ queue: "OUTBOX", id: "a mail" }, failing);
    await expect(send({})).rejects.toMatchObject({ name: "WorkIsLate" });
    expect(setOffBy(template, [{ Errors: 1 }])).toEqual(leadsTo("Background work fails for more than ten minutes"));
  });

  it("a failure of DynamoDB sets off server-errors, outbox-age and function-errors", async () => {
    const engine = process.env.DYNAMODB_ENDPOINT as string;
    await invoke("auth-sign-up", { body: { email: "ada@example.com", password: "correct horse" } });
    const mails = (await outbox.waiting()).map(({ sk }) => key.mail(sk));
    const store = await startBadStore(engine);
    turnTo(store.endpoint);
    store.moods = ["fails"];
    try {
      const replies = [await invoke("auth-sign-up", { body: { email: "bob@example.com", password: "correct horse" } })];
      const { failed } = await handOver(sendMail, ...mails);
      expect(failed).toEqual(mails);
      expect(mails.length).toBeGreaterThan(0);
      await expect(send({})).rejects.toThrow();
      const setOff = [...setOffBy(template, periodsOf(replies)), ...setOffBy(template, [{ Errors: 1 }]), "outbox-age"];
      expect(setOff.sort()).toEqual(leadsTo("DynamoDB fails"));
    } finally {
      store.stop();
      turnTo(engine);
    }
  });

  it("transactions in endless conflict set off server-errors and slow-answers", async () => {
    faults.injectFaults();
    const { postId } = await aPost(await aMember());
    const { token } = await aMember();
    const vote = () => invoke("votes-add", { token, body: { postId } });
    const always = (attempt: faults.Attempt) => (faults.isTransaction(attempt) ? faults.transactionConflict() : "none");
    const replies = [await faults.withFaults(always, vote)];
    expect((await vote()).status).toBe(201);
    const slow = { Latency: 3500 };
    const setOff = [...setOffBy(template, periodsOf(replies)), ...setOffBy(template, [slow, slow, slow])];
    expect(setOff).toEqual(leadsTo("Transactions get in each other's way"));
  });
});
