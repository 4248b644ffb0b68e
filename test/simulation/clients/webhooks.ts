import type * as resource from "../../../lib/http/resources.ts";
import { aWebhook, type Webhook, type WebhookFields } from "../history/site.ts";
import { expectThat, isSorted } from "../history/violation.ts";
import { type Answer, change, deleted, expectLife, type Family, MAYBE, patched, type Turn } from "./turn.ts";

// Webhooks that clients make, change and delete beside the one of the whole run, whose messages rest.ts checks; events.

type View = { webhookId: string; url: string; description: string | null };

// Few events: most of a run's work belongs to other clients.
const EVENTS = ["comment.deleted"];
const URLS = ["https://quick.receiver.example/", "https://quick.receiver.example/other"];
const MOST = 3;
const GONE = "WEBHOOK_NOT_FOUND";

function liveWebhook(turn: Turn): Webhook | undefined {
  return turn.pick(
    turn.site.webhooks.values(),
    ({ life }) => turn.random.chance(0.05) || life.between(turn.now, turn.now).includes("live"),
  );
}

/** The webhook of an answer; one whose creation got no answer is found by its description. */
function webhookOf({ site }: Turn, view: View, { to, endpoint }: Answer): Webhook {
  const known = site.webhooks.get(view.webhookId);
  if (known) return known;
  const { webhookId, url, description } = view;
  const isMade = description !== null && site.unansweredWebhooks.delete(description);
  expectThat(isMade, `${endpoint} shows a webhook that nobody made`, view);
  const webhook = aWebhook(webhookId, { seenAt: to, fields: { url, description } });
  site.webhooks.set(webhookId, webhook);
  return webhook;
}

async function create(turn: Turn): Promise<void> {
  const { site, now } = turn;
  const session = turn.sessionAs("owner");
  const there = [...site.webhooks.values()].filter(({ life }) => life.between(now, now).includes("live"));
  if (!session || there.length + site.unansweredWebhooks.size >= MOST) return;
  const fields: WebhookFields = { url: turn.random.oneOf(URLS), description: turn.id };
  site.unansweredWebhooks.add(turn.id);
  const answer = await turn.call(session, "webhooks-create", { body: { ...fields, events: EVENTS } });
  if (turn.expectStatus(answer, 201)) {
    const webhook = webhookOf(turn, answer.body.webhook as View, answer);
    webhook.secrets.add(answer.body.secret as string);
    webhook.acknowledge(answer.to);
  } else if (answer.status !== 0) site.unansweredWebhooks.delete(turn.id);
}

async function update(turn: Turn): Promise<void> {
  const webhook = liveWebhook(turn);
  const session = turn.sessionAs("owner");
  if (!webhook || !session) return;
  const patch = turn.random.chance(0.5) ? { url: turn.random.oneOf(URLS) } : { description: turn.id };
  const request = { params: { webhookId: webhook.webhookId }, body: patch };
  const changes = [change(webhook.fields, patched<WebhookFields>(patch))];
  const answer = await turn.write(changes, { 200: "changed", [GONE]: MAYBE }, () =>
    turn.call(session, "webhooks-update", request),
  );
  turn.expectStatus(answer, 200, GONE);
  expectLife(webhook, GONE, answer);
}

async function destroy(turn: Turn): Promise<void> {
  const webhook = liveWebhook(turn);
  const session = turn.sessionAs("owner");
  if (!webhook || !session) return;
  const answer = await turn.write([change(webhook.life, deleted)], { 204: "deleted", [GONE]: "was gone" }, () =>
    turn.call(session, "webhooks-delete", { params: { webhookId: webhook.webhookId } }),
  );
  turn.expectStatus(answer, 204, GONE);
}

/** Every lasting webhook with its fields, and no deleted one. */
async function list(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const known = [...turn.site.webhooks.values()];
  const answer = await turn.call(session, "webhooks-list", {});
  if (!turn.expectStatus(answer, 200)) return;
  const { from, to } = answer;
  const all = answer.body.webhooks as View[];
  const views = all.filter(({ description }) => description !== null);
  expectThat(all.length === views.length + 1, "webhooks-list lacks the webhook of the whole run", all);
  for (const view of views) {
    const webhook = webhookOf(turn, view, answer);
    expectLife(webhook, GONE, answer);
    const states = webhook.fields.between(from, to);
    const wasSo = states.some(({ url, description }) => url === view.url && description === view.description);
    expectThat(wasSo, `webhooks-list shows ${webhook.name} as it never was`, [view, states]);
  }
  const shown = new Set(views.map(({ webhookId }) => webhookId));
  for (const { webhookId, name, life, since } of known) {
    const isLasting = since < from && !life.between(from, to).includes("gone");
    expectThat(!isLasting || shown.has(webhookId), `webhooks-list lacks ${name}`);
  }
}

/** A new secret is none of the earlier ones. */
async function rotate(turn: Turn): Promise<void> {
  const webhook = liveWebhook(turn);
  const session = turn.sessionAs("owner");
  if (!webhook || !session) return;
  const answer = await turn.call(session, "webhooks-rotate", { params: { webhookId: webhook.webhookId } });
  turn.expectStatus(answer, 200, GONE);
  expectLife(webhook, GONE, answer);
  if (answer.status !== 200) return;
  const secret = answer.body.secret as string;
  expectThat(!webhook.secrets.has(secret), `webhooks-rotate answers an old secret of ${webhook.name}`);
  webhook.secrets.add(secret);
}

/** The receiver takes each ping that reaches it. */
async function test(turn: Turn): Promise<void> {
  const webhook = liveWebhook(turn);
  const session = turn.sessionAs("owner");
  if (!webhook || !session) return;
  const answer = await turn.call(session, "webhooks-test", { params: { webhookId: webhook.webhookId } });
  turn.expectStatus(answer, 200, GONE);
  if (answer.code === GONE) expectLife(webhook, GONE, answer);
  if (answer.status !== 200) return;
  const { status, reason } = answer.body;
  expectThat(status === 204 || typeof reason === "string", "webhooks-test answers neither status nor reason", answer);
}

/** Each delivery is of an event that was committed, the newest first. */
async function deliveries(turn: Turn): Promise<void> {
  const webhook = liveWebhook(turn);
  const session = turn.sessionAs("owner");
  if (!webhook || !session) return;
  const answer = await turn.call(session, "webhooks-deliveries", { params: { webhookId: webhook.webhookId } });
  turn.expectStatus(answer, 200, GONE);
  expectLife(webhook, GONE, answer);
  if (answer.status !== 200) return;
  const views = answer.body.deliveries as resource.Delivery[];
  const untrue = views.filter(({ eventId, type }) => turn.world.events.committedAt(eventId, type) === undefined);
  expectThat(untrue.length === 0, "webhooks-deliveries shows an event that never happened", untrue);
  const ids = views.map(({ eventId }) => eventId);
  expectThat(isSorted(ids.toReversed()), "webhooks-deliveries is not in order", ids);
}

/** At most fifty events, and no more than there are. */
async function replay(turn: Turn): Promise<void> {
  const webhook = liveWebhook(turn);
  const session = turn.sessionAs("owner");
  if (!webhook || !session) return;
  const answer = await turn.call(session, "webhooks-replay", { params: { webhookId: webhook.webhookId }, body: {} });
  turn.expectStatus(answer, 202, GONE);
  expectLife(webhook, GONE, answer);
  if (answer.status !== 202) return;
  const most = Math.min(50, turn.world.events.countOf(EVENTS));
  expectThat(Number(answer.body.replayed) <= most, `webhooks-replay replays more than ${most} events`, answer.body);
}

/** A page of events: each was committed, and they are in order. rest.ts polls all of them. */
async function events(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const answer = await turn.call(session, "events-list", { query: { first: "20" } });
  if (!turn.expectStatus(answer, 200)) return;
  const views = answer.body.events as resource.Event[];
  const untrue = views.filter(({ eventId, type }) => turn.world.events.committedAt(eventId, type) === undefined);
  expectThat(untrue.length === 0, "events-list shows an event that never happened", untrue);
  const ids = views.map(({ eventId }) => eventId);
  expectThat(isSorted(ids), "events-list is not in order", ids);
}

export const webhooks: Family = {
  create: { weight: 0.5, act: create },
  update: { weight: 0.4, act: update },
  destroy: { weight: 0.3, act: destroy },
  list: { weight: 0.5, act: list },
  rotate: { weight: 0.2, act: rotate },
  test: { weight: 0.2, act: test },
  deliveries: { weight: 0.3, act: deliveries },
  replay: { weight: 0.2, act: replay },
  events: { weight: 0.3, act: events },
};
