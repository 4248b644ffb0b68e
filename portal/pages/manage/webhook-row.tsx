import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { answer, api, type Schemas } from "../../api.ts";
import { carryOut } from "../../deeds.ts";
import { Action, When } from "../../parts/basics.tsx";
import type { Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { t } from "../../text.ts";
import { Deliveries } from "./deliveries.tsx";
import { reasonText } from "./reason-text.ts";
import { RowActions } from "./row-actions.tsx";
import { State } from "./state.tsx";
import { teamText } from "./team-text.ts";

export type Webhook = Schemas["Webhook"];

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

/** A new secret, in the only moment in which the service tells it. */
export async function newSecretOf(webhookId: string): Promise<string> {
  return (await answer(api.POST("/webhooks/{webhookId}/rotate", { params: { path: { webhookId } } }))).secret;
}

type RowProps = {
  webhook: Webhook;
  again: () => Promise<void>;
  save: (webhook: Webhook, values: Values) => Promise<unknown>;
  show: (secret: string) => void;
  deleted: () => void;
  /** The fields of the form that changes it. */
  children: ComponentChildren;
};

/** A webhook; what it opens changes it, and shows the state of its messages. */
export function WebhookRow({ webhook, again, save, show, deleted, children }: RowProps) {
  const { webhookId, url, description, status } = webhook;
  const params = { path: { webhookId } };
  const name = description ?? url;
  const [isOpen, setOpen] = useState(false);
  const { test, outcome } = useTest(webhook);
  const rotate = async () => show(await newSecretOf(webhookId));
  const next = status === "disabled" ? "active" : "disabled";
  const turn = () => carryOut(answer(api.PATCH("/webhooks/{webhookId}", { params, body: { status: next } })), again);
  const remove = async () => {
    await carryOut(answer(api.DELETE("/webhooks/{webhookId}", { params })), again, t("deleted"));
    deleted();
  };
  return (
    <li class="item">
      <details
        class="wide"
        onToggle={(event) => event.target === event.currentTarget && setOpen(event.currentTarget.open)}
      >
        <summary>
          {name} <Health webhook={webhook} />
        </summary>
        {isOpen && outcome}
        {description && <p class="meta">{url}</p>}
        <p class="actions">
          <Action act={rotate} label={teamText("newSecret")} ask={teamText("askNewSecret")} kind="" />
          <Action act={turn} label={teamText(next)} kind="" />
        </p>
        <details class="group">
          <summary>{t("edit")}</summary>
          <Form
            send={(values) => carryOut(save(webhook, values), again)}
            button={t("save")}
            label={name}
            keptAs={webhookId}
          >
            {children}
          </Form>
        </details>
        {isOpen && <Deliveries webhookId={webhookId} again={again} />}
      </details>
      <RowActions of={name}>
        <Action act={test} label={teamText("sendTest")} of={url} kind="" />
        <Action act={remove} label={t("delete")} of={url} ask={teamText("deleteWebhook", { url })} />
      </RowActions>
      {!isOpen && outcome}
    </li>
  );
}

type Outcome = { status: number | null; ms: number | null; reason: string | null; reasonCode: string | null };

/** What came of a test, as a sentence. */
function sentenceOf({ status, ms, ...why }: Outcome, url: string): string {
  if (why.reasonCode === "HOST_UNKNOWN") return teamText("webhookNotFound", { host: new URL(url).hostname });
  const reason = reasonText(why);
  if (reason) return teamText("webhookFailed", { reason });
  return teamText("webhookAnswered", { status: String(status), n: ms ?? 0 });
}

/** Sends a test, and says how it went. */
function useTest({ webhookId, url }: Webhook) {
  const [{ said, isGood }, setTested] = useState({ said: "", isGood: true });
  const outcome = useRef<HTMLParagraphElement>(null);
  const test = async () => {
    const call = api.POST("/webhooks/{webhookId}/test", { params: { path: { webhookId } } });
    const tested = await answer(call);
    setTested({ said: sentenceOf(tested, url), isGood: tested.status !== null && tested.status < 300 });
    // The button may be at the edge of the window.
    requestAnimationFrame(() => outcome.current?.scrollIntoView({ block: "nearest" }));
  };
  const shown = (
    <p ref={outcome} role="status" class={isGood ? "outcome" : "outcome problem"}>
      {said}
    </p>
  );
  return { test, outcome: shown };
}
