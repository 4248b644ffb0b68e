import { useState } from "preact/hooks";
import { answer, api, once, type Schemas } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { carryOut } from "../../notices.ts";
import { Action, Pending } from "../../parts/basics.tsx";
import { Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { usePasswordProof } from "../../parts/proof.tsx";
import { useRights } from "../../site.ts";
import { t } from "../../text.ts";
import { AddPanel } from "./add-panel.tsx";
import { checkedOf } from "./checked.ts";
import { lineOf } from "./scope-words.ts";
import { ScopeBoxes } from "./scopes.tsx";
import { Secret } from "./secret.tsx";
import { teamText } from "./team-text.ts";

const keys = define("keys", async (client) => (await answer(client.GET("/keys"))).keys);

export function Keys() {
  const { data, ...read } = useRead(keys());
  const scopes = useRights()?.scopes ?? [];
  const [secret, setSecret] = useState<string>();
  const { proofFields, withProof } = usePasswordProof();
  const add = async ({ name = "", password = "", code = "", ...chosen }: Values, key: string) => {
    const body = { name, scopes: checkedOf(scopes, chosen) as Schemas["ApiKey"]["scopes"] };
    const adding = () => once((header) => api.POST("/keys", { body: body as never, params: { header } }), key);
    setSecret((await withProof({ password, code }, adding)).secret);
    await read.again();
  };
  const remove = (keyId: string) =>
    carryOut(answer(api.DELETE("/keys/{keyId}", { params: { path: { keyId } } })), read.again, t("deleted"));
  if (!data) return <Pending {...read} />;
  return (
    <>
      {data.length === 0 && <p class="quiet-text">{teamText("noKeys")}</p>}
      <ul class="rows">
        {data.map(({ keyId, name, lastFour, scopes }) => (
          <li key={keyId} class="item">
            <details class="wide">
              <summary>
                {name} <code>…{lastFour}</code>{" "}
                <span class="quiet-text">{teamText("rightsCount", { n: scopes.length })}</span>
              </summary>
              <p class="quiet-text">{lineOf(scopes)}</p>
            </details>
            <Action act={() => remove(keyId)} label={t("delete")} of={name} ask={teamText("deleteKey", { name })} />
          </li>
        ))}
      </ul>
      <Secret text={secret} hint={teamText("secretOnce")} />
      <AddPanel label={teamText("addKey")} isFirst={data.length === 0}>
        {(fold) => (
          <Form send={(values, key) => add(values, key).then(fold)} button={teamText("add")} label={teamText("addKey")}>
            <Field name="name" label={t("name")} maxLength={60} required />
            <ScopeBoxes scopes={scopes} />
            {proofFields}
          </Form>
        )}
      </AddPanel>
    </>
  );
}
