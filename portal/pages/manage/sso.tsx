import { useState } from "preact/hooks";
import { answer, api } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { carryOut } from "../../deeds.ts";
import { Action, Pending, When } from "../../parts/basics.tsx";
import { Check, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { usePasswordProof } from "../../parts/proof.tsx";
import { t } from "../../text.ts";
import { Copied } from "./copied.tsx";
import { Secret } from "./secret.tsx";
import { State } from "./state.tsx";
import { teamText } from "./team-text.ts";

const sso = define("sso", async (client) => (await answer(client.GET("/sso"))).sso);
export const useSso = () => useRead(sso());

/** How links of the owner's own product sign people in: the secret, and who may come. */
export function ProductSignIn() {
  const { data, ...read } = useSso();
  const [secret, setSecret] = useState<string>();
  const { proofFields, withProof } = usePasswordProof();
  const rotate = async (values: Values) => {
    setSecret((await withProof(values, () => answer(api.POST("/sso/rotate")))).secret);
    await read.again();
  };
  const switchOff = () => {
    setSecret(undefined);
    return carryOut(answer(api.DELETE("/sso")), read.again);
  };
  if (!data) return <Pending {...read} lines={2} />;
  const { enabled, rotatedAt, staff, signInUrl } = data;
  return (
    <section class="panel" aria-labelledby="product">
      <h2 id="product">{teamText("productSignIn")}</h2>
      <p>
        <State kind={enabled ? "good" : "idle"}>{teamText(enabled ? "provider_live" : "provider_off")}</State>{" "}
        {rotatedAt && (
          <span class="quiet-text">
            {teamText("productSecretMade")} <When at={rotatedAt} />
          </span>
        )}
      </p>
      <p class="hint">{teamText("productHint")}</p>
      <Copied text={`${signInUrl}#`} />
      <Secret text={secret} hint={teamText("secretOnce")} />
      <Form send={rotate} button={teamText(enabled ? "newSecret" : "makeSecret")} label={teamText("productSignIn")}>
        {enabled && <p class="hint">{teamText("productRotateHint")}</p>}
        {proofFields}
      </Form>
      {enabled && <Staff on={staff} again={read.again} />}
      {enabled && <Action act={switchOff} label={teamText("disabled")} ask={teamText("askProductOff")} />}
    </section>
  );
}

/** Whether the owner and moderators may come by it. */
function Staff({ on, again }: { on: boolean; again: () => Promise<void> }) {
  const { proofFields, withProof } = usePasswordProof();
  const save = async (values: Values) => {
    const body = { staff: "staff" in values };
    await carryOut(
      withProof(values, () => answer(api.PATCH("/sso", { body }))),
      again,
    );
  };
  return (
    <Form send={save} button={t("save")} label={teamText("providerStaff")}>
      <Check name="staff" label={teamText("providerStaff")} on={on} />
      {proofFields}
    </Form>
  );
}
