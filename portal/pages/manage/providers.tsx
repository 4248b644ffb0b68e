import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { answer, api, once, type Schemas } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { carryOut } from "../../deeds.ts";
import { Action, Empty, Pending } from "../../parts/basics.tsx";
import { Check, Choice, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { usePasswordProof } from "../../parts/proof.tsx";
import { leaveFor, TEST_RESULT } from "../../providers.ts";
import { ofTab } from "../../store.ts";
import { t } from "../../text.ts";
import { AddPanel } from "./add-panel.tsx";
import { Copied } from "./copied.tsx";
import { changeOf, fieldsOf, type Provider, USUAL_CLAIMS } from "./provider-fields.ts";
import { type Preset, type PresetName, presetNames, presets } from "./provider-presets.ts";
import { reasonText } from "./reason-text.ts";
import { RowActions } from "./row-actions.tsx";
import { ProductSignIn, useSso } from "./sso.tsx";
import { State } from "./state.tsx";
import { teamText } from "./team-text.ts";
import { problemOfIssuer } from "./typed-addresses.ts";

type Result = { provider: Provider; test: Schemas["ProviderTest"] };

const providers = define("providers", async (client) => answer(client.GET("/providers")));

/** `preset`: what a new one begins with. */
function Fields({ provider, preset }: { provider?: Provider; preset?: Preset | undefined }) {
  const begun = provider ?? preset;
  const claim = provider?.claims.emailVerified ?? preset?.emailVerified ?? USUAL_CLAIMS.emailVerified;
  return (
    <>
      <div class="pair">
        <Field
          name="name"
          label={t("name")}
          hint={teamText("providerNameHint")}
          value={begun?.name ?? ""}
          maxLength={40}
          required
        />
        <Field
          name="issuer"
          label={teamText("issuer")}
          hint={teamText("issuerHint")}
          check={problemOfIssuer}
          value={begun?.issuer ?? ""}
          dir="ltr"
          inputMode="url"
          autoCapitalize="none"
          required
        />
      </div>
      <div class="pair">
        <Field name="clientId" label={teamText("clientId")} value={provider?.clientId ?? ""} required />
        <Field
          name="clientSecret"
          type="password"
          label={teamText("clientSecret")}
          hint={provider ? teamText("clientSecretHint") : ""}
          showLabel={teamText("showSecret")}
          autoComplete="off"
          required={!provider}
        />
      </div>
      <Field
        name="emailVerified"
        label={teamText("claimVerified")}
        hint={teamText("claimVerifiedHint")}
        value={claim}
        autoCapitalize="none"
        required
      />
      <Check name="staff" label={teamText("providerStaff")} on={provider?.staff ?? false} />
    </>
  );
}

const OPTIONS = Object.entries(presetNames).map(([id, name]) => ({ id, name }));

type NewProps = {
  callbackUrl: string;
  send: (values: Values, key: string) => Promise<void>;
  proofFields: ComponentChildren;
};

/** A new provider: one that many use fills in what is known of it, and says what to do there. */
function NewProvider({ callbackUrl, send, proofFields }: NewProps) {
  const [chosen, setChosen] = useState<PresetName>();
  return (
    <Form send={send} button={teamText("add")} label={teamText("addProvider")}>
      <Choice
        label={teamText("whichProvider")}
        none={teamText("otherProvider")}
        options={OPTIONS}
        onChange={({ currentTarget: { value } }) => setChosen((value || undefined) as PresetName | undefined)}
      />
      <div class="steps-there">
        <p>{teamText(chosen ? `at_${chosen}` : "atProvider")}</p>
        <Copied text={callbackUrl} />
      </div>
      <Fields key={chosen} preset={chosen && presets[chosen]} />
      {proofFields}
    </Form>
  );
}

function resultText({ provider: { name }, test }: Result): string {
  if (!test.passed) return teamText("testFailed", { name, reason: reasonText(test) ?? "" });
  const { email, emailVerified } = test.person ?? {};
  return email && emailVerified ? teamText("testPassed", { name, email }) : teamText("testPassedPlain", { name });
}

/** The result of a test that the provider has led back from. */
function takenResult(): Result | undefined {
  const kept = ofTab.get(TEST_RESULT);
  ofTab.remove(TEST_RESULT);
  return kept === undefined ? undefined : JSON.parse(kept);
}

/** The providers that people sign in by, which the owner adds, tests, changes and deletes. */
export function Providers() {
  const { data, ...read } = useRead(providers());
  // Side by side: what stands below waits for no other answer.
  useSso();
  const [result, setResult] = useState<Result>();
  const { proofFields, withProof } = usePasswordProof();
  useEffect(() => setResult(takenResult()), []);
  const add = async (values: Values, key: string) => {
    const body = { clientSecret: "", ...fieldsOf(values) };
    await withProof(values, () => once((header) => api.POST("/providers", { body, params: { header } }), key));
    await read.again();
  };
  if (!data) return <Pending {...read} />;
  const { results, callbackUrl } = data;
  return (
    <>
      {result && (
        <p role="status" class={result.test.passed ? "" : "problem"}>
          {resultText(result)}
        </p>
      )}
      {results.length === 0 && <Empty title={teamText("noProviders")} hint={teamText("noProvidersHint")} />}
      <ul class="rows">
        {results.map((provider) => (
          <Row
            key={provider.providerId}
            provider={provider}
            callbackUrl={callbackUrl}
            again={read.again}
            show={setResult}
          />
        ))}
      </ul>
      <AddPanel label={teamText("addProvider")} isFirst={results.length === 0}>
        {(fold) => (
          <NewProvider
            callbackUrl={callbackUrl}
            send={(values, key) => add(values, key).then(fold)}
            proofFields={proofFields}
          />
        )}
      </AddPanel>
      <ProductSignIn />
    </>
  );
}

type RowProps = {
  provider: Provider;
  callbackUrl: string;
  again: () => Promise<void>;
  show: (result: Result) => void;
};

function stateOf({ live, enabled }: Provider): "live" | "untested" | "off" {
  if (live) return "live";
  return enabled ? "untested" : "off";
}

const KIND_OF = { live: "good", untested: "busy", off: "idle" } as const;

function Row({ provider, callbackUrl, again, show }: RowProps) {
  const { providerId, name, enabled } = provider;
  const params = { path: { providerId } };
  const { proofFields, withProof } = usePasswordProof();
  const change = async (body: object, typed: Values = {}) => {
    await withProof(typed, () => answer(api.PATCH("/providers/{providerId}", { params, body })));
    await again();
  };
  const save = (values: Values) => change(changeOf(provider, values), values);
  // The first call reads the discovery document; the second one is made by the page that the provider leads back to.
  const test = async () => {
    const result = await answer(api.POST("/providers/{providerId}/test", { params, body: {} }));
    const { authorizationUrl } = result.provider;
    if (!result.test.passed || !authorizationUrl) return show(result);
    const { issuer, clientId, scopes } = result.provider;
    await leaveFor(
      { id: providerId, name, issuer, authorizationUrl, clientId, scopes },
      { purpose: "test", callbackUrl },
    );
  };
  const remove = () => carryOut(answer(api.DELETE("/providers/{providerId}", { params })), again, t("deleted"));
  const state = stateOf(provider);
  return (
    <li class="item">
      <details class="wide">
        <summary>
          {name} <State kind={KIND_OF[state]}>{teamText(`provider_${state}`)}</State>
        </summary>
        <p class="hint">{teamText("callbackHint")}</p>
        <Copied text={callbackUrl} />
        <Form send={save} button={t("save")} label={name} keptAs={providerId}>
          <Fields provider={provider} />
          {proofFields}
        </Form>
        <p class="actions">
          <Action act={() => change({ enabled: !enabled })} label={teamText(enabled ? "disabled" : "active")} kind="" />
        </p>
      </details>
      <RowActions of={name}>
        <Action act={test} label={teamText("testProvider")} of={name} kind="" />
        <Action act={remove} label={t("delete")} of={name} ask={teamText("deleteProvider", { name })} />
      </RowActions>
    </li>
  );
}
