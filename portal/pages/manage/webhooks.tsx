import { useState } from "preact/hooks";
import { eventTypes } from "../../../lib/client/index.ts";
import { answer, api, once } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { Empty, Pending } from "../../parts/basics.tsx";
import { Check, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { AddPanel } from "./add-panel.tsx";
import { sendChanged } from "./as-shown.ts";
import { follow } from "./boxes.ts";
import { checkedOf } from "./checked.ts";
import { Event } from "./deliveries.tsx";
import { Secret } from "./secret.tsx";
import { teamText } from "./team-text.ts";
import { problemOfCalledUrl } from "./typed-addresses.ts";
import { newSecretOf, type Webhook, WebhookRow } from "./webhook-row.tsx";

const webhooks = define("webhooks", async (client) => (await answer(client.GET("/webhooks"))).webhooks);

/** A message as a receiver gets it. */
const MESSAGE = `POST /… HTTP/1.1
webhook-id: msg_…
webhook-timestamp: 1795716000
webhook-signature: v1,…

{"type":"post.created","timestamp":"2026-11-26T12:00:00.000Z","data":{"postId":"…","post":{…}}}`;

/** The fields of a webhook, from a form. */
function fieldsOf({ url = "", description = "", ...chosen }: Values) {
  const events = checkedOf(eventTypes, chosen, teamText("chooseEvent"));
  return { url, description: description || null, events };
}

function Fields({ webhook }: { webhook?: Webhook }) {
  return (
    <>
      <div class="pair">
        <Field
          name="url"
          type="url"
          label={teamText("webhookUrl")}
          value={webhook?.url ?? ""}
          hint={teamText("webhookUrlHint")}
          check={problemOfCalledUrl}
          required
        />
        <Field
          name="description"
          label={teamText("description")}
          hint={teamText("webhookNameHint")}
          value={webhook?.description ?? ""}
          maxLength={100}
        />
      </div>
      <fieldset class="scopes" onChange={({ currentTarget, target }) => void follow(currentTarget, target)}>
        <legend>{teamText("events")}</legend>
        <label class="check">
          <input type="checkbox" defaultChecked={webhook?.events.length === eventTypes.length} />{" "}
          <strong>{teamText("allEvents")}</strong>
        </label>
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
  const [made, setMade] = useState<{ webhookId: string; secret: string }>();
  const add = async (values: Values, key: string) => {
    const body = fieldsOf(values);
    const { webhook, secret } = await once((header) => api.POST("/webhooks", { body, params: { header } }), key);
    const { webhookId } = webhook;
    // The answer with the secret was lost: nobody has it yet.
    setMade({ webhookId, secret: secret ?? (await newSecretOf(webhookId)) });
    await read.again();
  };
  const save = (shown: Webhook, values: Values) => {
    const params = { path: { webhookId: shown.webhookId } };
    const send = (body: object) => answer(api.PATCH("/webhooks/{webhookId}", { params, body }));
    return sendChanged(shown, fieldsOf(values), send);
  };
  if (!data) return <Pending {...read} />;
  return (
    <>
      {data.length === 0 && <Empty title={teamText("noWebhooks")} hint={teamText("noWebhooksHint")} />}
      <ul class="rows">
        {data.map((webhook) => (
          <WebhookRow
            key={webhook.webhookId}
            webhook={webhook}
            again={read.again}
            save={save}
            show={(secret) => setMade({ webhookId: webhook.webhookId, secret })}
            // Nothing is signed with it any more.
            deleted={() => webhook.webhookId === made?.webhookId && setMade(undefined)}
          >
            <Fields webhook={webhook} />
          </WebhookRow>
        ))}
      </ul>
      <Secret text={made?.secret} hint={teamText("webhookSecretOnce")} />
      <div class="panels">
        <AddPanel label={teamText("addWebhook")} isFirst={data.length === 0}>
          {(fold) => (
            <Form
              send={(values, key) => add(values, key).then(fold)}
              button={teamText("add")}
              label={teamText("addWebhook")}
            >
              <Fields />
            </Form>
          )}
        </AddPanel>
        <Receiving />
      </div>
    </>
  );
}

/** What a program needs to know that receives messages: most sites have no documentation beside them. */
function Receiving() {
  return (
    <details class="panel">
      <summary>{teamText("receiving")}</summary>
      <div class="prose">
        <ol>
          <li>{teamText("receivingMessage")}</li>
          <li>
            {teamText("receivingSignature")}{" "}
            <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
              www.standardwebhooks.com
            </a>
          </li>
          <li>{teamText("receivingAnswer")}</li>
        </ol>
        <pre>{MESSAGE}</pre>
        <p>
          <a href="/openapi.json" target="_blank" rel="noopener">
            {teamText("apiDocument")}
          </a>
        </p>
      </div>
    </details>
  );
}
