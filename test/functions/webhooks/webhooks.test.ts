import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { handler as deliver, table } from "../../../functions/scheduled/deliver.ts";
import type { DeliverEvent } from "../../../lib/webhooks/call-deliver.ts";
import { anId, atOnce, invoke, refusal, success, tally, timeInside } from "../../support/http/invoke.ts";
import { startLambdaService } from "../../support/process/lambda-service.ts";
import { type Receiver, startReceiver } from "../../support/process/receiver.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { recordCalls } from "../../support/store/calls.ts";
import { type Attempt, throttled, withFaults } from "../../support/store/faults.ts";
import { aUser, aWebhook, type Person } from "../../support/world/fixtures.ts";

let owner: Person;
let receiver: Receiver;
let deliverUrl = "";

beforeAll(async () => {
  receiver = await startReceiver();
  // Beside the call of the endpoint, under the rights of its own.
  const own = { name: "deliver", table };
  deliverUrl = await startLambdaService(
    async (event: DeliverEvent) => (await recordCalls(() => deliver(event), own)).result,
  );
});

beforeEach(async () => {
  await freshTable();
  newContainer({ WEBHOOK_PRIVATE_TARGETS: "on", DELIVER_URL: deliverUrl });
  owner = await aUser("owner");
  receiver.messages = [];
});

const body = { url: "https://hook.example/feedback", events: ["post.created", "comment.created"], description: "Chat" };

async function made(fields: object = {}) {
  return success(await invoke("webhooks-create", { token: owner.token, body: { ...body, ...fields } }), 201);
}

async function listed() {
  return success(await invoke("webhooks-list", { token: owner.token }), 200).webhooks;
}

function call(name: string, webhookId: string, body?: object) {
  return invoke(name, { token: owner.token, params: { webhookId }, ...(body && { body }) });
}

describe("A webhook", () => {
  it("shows its secret once, and is changed, listed and deleted", async () => {
    const { webhook, secret } = await made();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      ...body,
      webhookId: anId,
      status: "active",
      health: { lastStatus: null, lastSuccessAt: null, failuresInARow: 0, firstFailureAt: null },
      createdAt: timeInside(webhook.webhookId),
    });
    expect(await listed()).toEqual([webhook]);
    const url = "https://hook.example:8443/other";
    const change = { url, events: ["post.deleted"], description: null, status: "disabled" };
    const changed = success(await call("webhooks-update", webhook.webhookId, change), 200).webhook;
    expect(changed).toEqual({ ...webhook, ...change });
    expect(success(await call("webhooks-update", webhook.webhookId, {}), 200).webhook).toEqual(changed);
    expect(await listed()).toEqual([changed]);
    await expectSound();
    success(await call("webhooks-delete", webhook.webhookId), 204);
    expect(await listed()).toEqual([]);
    for (const name of ["webhooks-update", "webhooks-delete", "webhooks-rotate", "webhooks-test"])
      refusal(await call(name, webhook.webhookId, {}), "WEBHOOK_NOT_FOUND");
    await expectSound();
  });

  it.each(["http://hook.example/", "https://10.0.0.1/", "https://hook.example:22/"])("refuses %s", async (url) => {
    refusal(await invoke("webhooks-create", { token: owner.token, body: { ...body, url } }), "WEBHOOK_URL_REFUSED");
    const { webhook } = await made();
    refusal(await call("webhooks-update", webhook.webhookId, { url }), "WEBHOOK_URL_REFUSED");
    expect(await listed()).toEqual([webhook]);
  });

  it("refuses no event, an unknown one, and one named twice", async () => {
    for (const events of [[], ["post.liked"], ["post.created", "post.created"]])
      refusal(await invoke("webhooks-create", { token: owner.token, body: { ...body, events } }), "VALIDATION_ERROR");
  });

  it("finds no room beside ten, also when many are made in parallel", async () => {
    const replies = await atOnce(14, () => invoke("webhooks-create", { token: owner.token, body }));
    expect(tally(replies)).toEqual({ 201: 10, "400 TOO_MANY_WEBHOOKS": 4 });
    expect(await listed()).toHaveLength(10);
    await expectSound();
  });
});

describe("A ping", () => {
  const ping = async (webhookId: string) => success(await call("webhooks-test", webhookId), 200);

  it("arrives signed, and returns status and time of the answer", async () => {
    const { webhook, secret } = await made({ url: receiver.url });
    receiver.secrets = [secret];
    expect(await ping(webhook.webhookId)).toEqual({
      status: 204,
      ms: expect.any(Number),
      reason: null,
      reasonCode: null,
    });
    expect(receiver.messages).toEqual([
      { id: anId, message: { type: "ping", timestamp: expect.any(String), data: { webhookId: webhook.webhookId } } },
    ]);
  });

  it("carries the signatures of both secrets for 24 hours after a rotation, then one signature", async () => {
    const { webhook, secret } = await made({ url: receiver.url });
    const rotated = success(await call("webhooks-rotate", webhook.webhookId), 200).secret;
    receiver.secrets = [rotated, secret];
    expect((await ping(webhook.webhookId)).status).toBe(204);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 3_600_000 + 1000 });
    receiver.secrets = [secret];
    expect((await ping(webhook.webhookId)).status).toBe(401);
    receiver.secrets = [rotated];
    expect((await ping(webhook.webhookId)).status).toBe(204);
    vi.useRealTimers();
  });

  it("explains in words and by a code why the receiver did not answer", async () => {
    const { webhook } = await made({ url: "http://127.0.0.1:1/" });
    expect(await ping(webhook.webhookId)).toEqual({
      status: null,
      ms: null,
      reason: "The host refuses connections",
      reasonCode: "CONNECTION_REFUSED",
    });
    newContainer({ WEBHOOK_PRIVATE_TARGETS: "off" });
    expect(await ping(webhook.webhookId)).toMatchObject({
      reason: "The url is not allowed",
      reasonCode: "URL_NOT_ALLOWED",
    });
    const isOfSecrets = ({ input }: Attempt) => JSON.stringify(input).includes("WEBHOOK_SECRETS");
    const reply = await withFaults(
      (attempt) => (isOfSecrets(attempt) ? throttled() : "none"),
      () => ping(webhook.webhookId),
    );
    expect(reply.reason).toBe("The sender of webhooks did not answer");
    newContainer({ DELIVER_URL: "" });
    expect((await ping(webhook.webhookId)).reason).toBe("The sender of webhooks did not answer");
  });

  it("counts: ten a minute", async () => {
    newContainer({ RATE_LIMITS: "on" });
    const { webhook } = await aWebhook(owner, { url: receiver.url });
    const replies = await atOnce(12, () => call("webhooks-test", webhook.webhookId));
    expect(tally(replies)).toEqual({ 200: 10, "429 TOO_MANY_REQUESTS": 2 });
  });
});
