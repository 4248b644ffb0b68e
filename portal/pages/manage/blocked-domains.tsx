import { useRead } from "../../data.ts";
import { Pending } from "../../parts/basics.tsx";
import { Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { t } from "../../text.ts";
import { type Policy, policy, savePolicy } from "./queue-policy.tsx";
import { teamText } from "./team-text.ts";
import { domainsIn, problemOfDomains } from "./typed-addresses.ts";

const MOST_DOMAINS = 200;

function problemOfBlocked(typed: string): string | undefined {
  const n = domainsIn(typed).length;
  return n > MOST_DOMAINS ? teamText("tooManyDomains", { n, most: MOST_DOMAINS }) : problemOfDomains(typed);
}

/** The domains whose addresses open no accounts: the owner's choice. */
export function BlockedDomains() {
  const { data, ...read } = useRead(policy());
  return (
    <details class="panel">
      <summary>{teamText("blockedDomains")}</summary>
      {data ? <DomainsForm policy={data} /> : <Pending {...read} />}
    </details>
  );
}

function DomainsForm({ policy: shown }: { policy: Policy }) {
  const save = ({ blockedMailDomains = "" }: Values) =>
    savePolicy(shown, { blockedMailDomains: domainsIn(blockedMailDomains) });
  return (
    <Form send={save} button={t("save")} label={teamText("blockedDomains")}>
      <Field
        name="blockedMailDomains"
        label={teamText("blockedDomainsList")}
        hint={teamText("blockedDomainsHint")}
        value={shown.blockedMailDomains.join("\n")}
        rows={4}
        autoCapitalize="none"
        check={problemOfBlocked}
      />
    </Form>
  );
}
