import { useRef, useState } from "preact/hooks";
import { eventTypes } from "../../../lib/client/index.ts";
import { answer, api, type Schemas } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { carryOut } from "../../notices.ts";
import { Action, Pending, When } from "../../parts/basics.tsx";
import { Check, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { t } from "../../text.ts";
import { AddPanel } from "./add-panel.tsx";
import { checkedOf } from "./checked.ts";
import { Secret } from "./secret.tsx";
import { State } from "./state.tsx";
import { teamText, teamTextOr } from "./team-text.ts";
import { problemOfCalledUrl } from "./typed-addresses.ts";

type Webhook = Schemas["Webhook"];

const webhooks = define("webhooks", async (client) => (await answer(client.GET("/webhooks"))).webhooks);

const deliveries = define("deliveries", async (client, webhookId: string) => {
  const params = { path: { webhookId } };
  return (await answer(client.GET("/webhooks/{webhookId}/deliveries", { params }))).deliveries;
});

/** The fields of a webhook, from a form. */
function fieldsOf({ url = "", description = "", ...chosen }: Values) {
  return { url, description: description || null, events: checkedOf(eventTypes, chosen) };
}

/** A kind of event, in words and as messages name it; one that this page does not know only so. */
function Event({ type }: { type: string }) {
  return (
    <>
      {teamTextOr(`event_${type.replace(".", "_")}`, "")} <code>{type}</code>
    </>
  );
}

function Fields({ webhook }: { webhook?: Webhook }) {
  return (
    <>
      <Field
        name="url"
        type="url"
        label={teamText("webhookUrl")}
        value={webhook?.url ?? ""}
        hint={teamText("webhookUrlHint")}
        check={problemOfCalledUrl}
        required
      />
      <Field name="description" label={t("description")} value={webhook?.description ?? ""} maxLength={100} />
      <fieldset class="scopes">
        <legend>{teamText("events")}</legend>
        {eventTypes.map((each) => (
          <Check key={each} name={each} label={<Event type={each} />} on={webhook?.events.includes(each) ?? false} />
        ))}
      </fieldset>
    </>
  );
}

/** The webhooks of the site, which the owner adds, changes, tries and deletes. */
export function Webhooks() {
  const { data, ...read } = useRead(webhooks());
  const [secret, setSecret] = useState<string>();
  const add = async (values: Values) => {
    setSecret((await answer(api.POST("/webhooks", { body: fieldsOf(values) }))).secret);
    await read.again();
  };
  if (!data) return <Pending {...read} />;
  return (
    <>
      {data.length === 0 && <p class="quiet-text">{teamText("noWebhooks")}</p>}
      <ul class="rows">
        {data.map((webhook) => (
          <Row key={webhook.webhookId} webhook={webhook} again={read.again} show={setSecret} />
        ))}
      </ul>
      <Secret text={secret} hint={teamText("webhookSecretOnce")} />
      <AddPanel label={teamText("addWebhook")} isFirst={data.length === 0}>
        {(fold) => (
          <Form send={(values) => add(values).then(fold)} button={teamText("add")} label={teamText("addWebhook")}>
            <Fields />
          </Form>
        )}
      </AddPanel>
    </>
  );
}

type Why = Pick<Schemas["Delivery"], "reason" | "reasonCode">;

/** Why a receiver did not answer; undefined if it did. */
function reasonText({ reason, reasonCode }: Why): string | undefined {
  if (!reasonCode) return reason ?? undefined;
  const [, detail = ""] = reason?.split(": ") ?? [];
  return teamText(`reason_${reasonCode}`, { detail });
}

/** How the last deliveries went. */
function stateOf({ status, health }: Webhook): "disabled" | "unused" | "working" | "retrying" | "failed" {
  if (status === "disabled") return "disabled";
  if (status === "failing") return "failed";
  if (health.failuresInARow > 0) return "retrying";
  return health.lastSuccessAt === null ? "unused" : "working";
}

const KIND_OF = { disabled: "idle", unused: "idle", working: "good", retrying: "busy", failed: "bad" } as const;

/** The state, the last answer if it was none of success, and since when it is so. */
function Health({ webhook }: { webhook: Webhook }) {
  const { lastStatus, lastSuccessAt, firstFailureAt } = webhook.health;
  const state = stateOf(webhook);
  const isBad = state === "failed" || state === "retrying";
  const at = isBad ? firstFailureAt : lastSuccessAt;
  // Without an answer the last status is an older one.
  const isRefused = isBad && lastStatus !== null && lastStatus >= 300;
  return (
    <>
      <State kind={KIND_OF[state]}>{teamText(`webhook_${state}`)}</State>{" "}
      <span class="quiet-text">
        {isRefused && `${teamText("lastAnswer", { status: lastStatus })} · `}
        {at && teamText(isBad ? "firstFailure" : "lastSuccess")} {at && <When at={at} />}
      </span>
    </>
  );
}

type RowProps = { webhook: Webhook; again: () => Promise<void>; show: (secret: string) => void };

function Row({ webhook, again, show }: RowProps) {
  const { webhookId, url, status } = webhook;
  const params = { path: { webhookId } };
  const change = (body: object) => carryOut(answer(api.PATCH("/webhooks/{webhookId}", { params, body })), again);
  const test = async () => {
    const { status, ms, ...why } = await answer(api.POST("/webhooks/{webhookId}/test", { params }));
    const isGood = status !== null && status < 300;
    const answered = () => teamText("webhookAnswered", { status: String(status), n: ms ?? 0 });
    setTested({ said: reasonText(why) ?? answered(), isGood });
    // It stands below an open row, which may be long.
    requestAnimationFrame(() => outcome.current?.scrollIntoView({ block: "nearest" }));
  };
  const rotate = async () => show((await answer(api.POST("/webhooks/{webhookId}/rotate", { params }))).secret);
  const remove = () => carryOut(answer(api.DELETE("/webhooks/{webhookId}", { params })), again, t("deleted"));
  const next = status === "disabled" ? "active" : "disabled";
  const [isOpen, setOpen] = useState(false);
  const [tested, setTested] = useState({ said: "", isGood: true });
  const outcome = useRef<HTMLParagraphElement>(null);
  return (
    <li class="item">
      <details
        class="wide"
        onToggle={(event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}
      >
        <summary>
          {webhook.description ?? url} <Health webhook={webhook} />
        </summary>
        {webhook.description && <p class="meta">{url}</p>}
        {isOpen && <Deliveries webhookId={webhookId} />}
        <details class="group">
          <summary>{t("edit")}</summary>
          <Form send={(values) => change(fieldsOf(values))} button={t("save")} label={url}>
            <Fields webhook={webhook} />
          </Form>
        </details>
        <p class="actions">
          <Action act={rotate} label={teamText("newSecret")} ask={teamText("askNewSecret")} kind="" />
          <Action act={() => change({ status: next })} label={teamText(next)} kind="" />
        </p>
      </details>
      <span class="actions">
        <Action act={test} label={teamText("sendTest")} of={url} kind="" />
        <Action act={remove} label={t("delete")} of={url} ask={teamText("deleteWebhook", { url })} />
      </span>
      <p ref={outcome} role="status" class={tested.isGood ? "outcome" : "outcome problem"}>
        {tested.said}
      </p>
    </li>
  );
}

/** Leads from an event to its post, whose title is not read for a list of a hundred. */
function PostLink({ postId, type }: { postId: string; type: string }) {
  return (
    <a href={`/posts/${postId}`}>
      <Event type={type} />
    </a>
  );
}

/** The newest events with their deliveries; each can be sent again. */
function Deliveries({ webhookId }: { webhookId: string }) {
  const params = { path: { webhookId } };
  const { data, ...read } = useRead(deliveries(webhookId));
  const replay = (body: { eventId: string }) =>
    carryOut(answer(api.POST("/webhooks/{webhookId}/replay", { params, body })), read.again, teamText("replayed"));
  if (!data) return <Pending {...read} lines={2} />;
  return (
    <section>
      <h2>{teamText("deliveries")}</h2>
      <p class="quiet-text">{teamText(data.length === 0 ? "noDeliveries" : "deliveriesHint")}</p>
      <ul class="rows">
        {data.map(({ eventId, type, postId, status, attempts, attemptedAt, lastStatus, ...why }) => (
          <li key={eventId} class="item">
            <span class="wide">
              {postId ? <PostLink postId={postId} type={type} /> : <Event type={type} />}{" "}
              <span class={status === "failed" ? "problem" : "quiet-text"}>
                {teamText(`delivery_${status}`)} · {teamText("attempts", { n: attempts })}
                {attemptedAt && [` · ${reasonText(why) ?? lastStatus} · `, <When at={attemptedAt} />]}
              </span>
            </span>
            <Action act={() => replay({ eventId })} label={teamText("sendAgain")} of={type} />
          </li>
        ))}
      </ul>
    </section>
  );
}
