import { useState } from "preact/hooks";
import { answer, api, once, type Schemas } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { carryOut } from "../../deeds.ts";
import { Action, Empty, Pending } from "../../parts/basics.tsx";
import { Choice, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { usePasswordProof } from "../../parts/proof.tsx";
import { useRights } from "../../site.ts";
import { language, momentText, t } from "../../text.ts";
import { AddPanel } from "./add-panel.tsx";
import { checkedOf } from "./checked.ts";
import { lineOf } from "./scope-words.ts";
import { ScopeBoxes } from "./scopes.tsx";
import { Secret } from "./secret.tsx";
import { State } from "./state.tsx";
import { teamText } from "./team-text.ts";
import { dayAfter, dayText, today } from "./utc-days.ts";

type Body = { name: string; scopes: Schemas["ApiKey"]["scopes"]; expiresAt?: string };

/** For how many days a key can be valid; the service lets none live longer than the last. */
const LIVES = [30, 90, 365];
const LONGEST = "365";
/** Long enough to be of use, and over before it is forgotten. */
const USUAL = "90";

function daysText(days: number): string {
  return days.toLocaleString(language.value, { style: "unit", unit: "day", unitDisplay: "long" });
}

/**
 * A midnight, so that a call that is sent again names the same one, after at least as many days. Without it a key has
 * its longest life.
 */
export function endOf(days: string): { expiresAt?: string } {
  if (days === LONGEST) return {};
  return { expiresAt: new Date(dayAfter(today(), Number(days) + 1)).toISOString() };
}

/** Until when a key is valid, and whether it is in use. */
function Life({ of: { expiresAt, lastUsedOn } }: { of: Pick<Schemas["ApiKey"], "expiresAt" | "lastUsedOn"> }) {
  const hasEnded = Date.parse(expiresAt) < Date.now();
  return (
    <>
      {hasEnded ? (
        <State kind="bad">{teamText("keyEnded")}</State>
      ) : (
        teamText("keyUntil", { date: momentText(expiresAt) })
      )}
      {" · "}
      {lastUsedOn ? teamText("keyUsed", { date: dayText(lastUsedOn) }) : teamText("keyUnused")}
    </>
  );
}

function end(keyId: string) {
  return answer(api.DELETE("/keys/{keyId}", { params: { path: { keyId } } }));
}

/** Makes a key once. One whose secret was lost on its way is of no use: another takes its place. */
async function make(body: Body, workKey?: string): Promise<{ keyId: string; secret: string }> {
  const call = (header: object) => api.POST("/keys", { body: body as never, params: { header } });
  const { key, secret } = await once(call, workKey);
  if (secret) return { keyId: key.keyId, secret };
  await end(key.keyId);
  return make(body);
}

const keys = define("keys", async (client) => (await answer(client.GET("/keys"))).keys);

export function Keys() {
  const { data, ...read } = useRead(keys());
  const scopes = useRights()?.scopes ?? [];
  const [made, setMade] = useState<{ keyId: string; secret: string }>();
  const { proofFields, withProof } = usePasswordProof();
  const add = async ({ name = "", days = USUAL, password = "", code = "", ...chosen }: Values, key: string) => {
    const rights = checkedOf(scopes, chosen, teamText("chooseRight"));
    const body = { name, scopes: rights as Schemas["ApiKey"]["scopes"], ...endOf(days) };
    setMade(await withProof({ password, code }, () => make(body, key)));
    await read.again();
  };
  const remove = async (keyId: string) => {
    await carryOut(end(keyId), read.again, t("deleted"));
    if (keyId === made?.keyId) setMade(undefined);
  };
  if (!data) return <Pending {...read} />;
  return (
    <>
      {data.length === 0 && <Empty title={teamText("noKeys")} hint={teamText("noKeysHint")} />}
      <p>
        <a href="/openapi.json" target="_blank" rel="noopener">
          {teamText("apiDocument")}
        </a>
      </p>
      <ul class="rows">
        {data.map(({ keyId, name, lastFour, scopes, ...life }) => (
          <li key={keyId} class="item">
            <details class="wide">
              <summary>
                {name} <code>…{lastFour}</code>{" "}
                <span class="quiet-text">
                  {teamText("rightsCount", { n: scopes.length })}
                  {" · "}
                  <Life of={life} />
                </span>
              </summary>
              <p class="quiet-text">{lineOf(scopes)}</p>
            </details>
            <Action act={() => remove(keyId)} label={t("delete")} of={name} ask={teamText("deleteKey", { name })} />
          </li>
        ))}
      </ul>
      <Secret text={made?.secret} hint={teamText("secretOnce")} />
      <AddPanel label={teamText("addKey")} isFirst={data.length === 0}>
        {(fold) => (
          <Form send={(values, key) => add(values, key).then(fold)} button={teamText("add")} label={teamText("addKey")}>
            <div class="pair">
              <Field name="name" label={t("name")} maxLength={60} required />
              <Choice
                name="days"
                label={teamText("keyLife")}
                value={USUAL}
                options={LIVES.map((days) => ({ id: String(days), name: daysText(days) }))}
              />
            </div>
            <ScopeBoxes scopes={scopes} />
            {proofFields}
          </Form>
        )}
      </AddPanel>
    </>
  );
}
