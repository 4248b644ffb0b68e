import { useLocation } from "preact-iso/router";
import { answer, api } from "../../api.ts";
import { dropDrafts } from "../../drafts.ts";
import { announce } from "../../notices.ts";
import { Heading } from "../../parts/basics.tsx";
import { Check, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { usePasswordProof } from "../../parts/proof.tsx";
import { signOut } from "../../session.ts";
import { language, t } from "../../text.ts";
import { accountText } from "./account-text.ts";
import { firstText } from "./first-text.ts";

/** Says what becomes of an account, and deletes it. */
export default function LeavingPage() {
  const { route } = useLocation();
  const { proofFields, withProof } = usePasswordProof();
  const leave = async (values: Values) => {
    const body = { votes: "withdraw" in values ? ("withdraw" as const) : ("keep" as const) };
    const { erasure } = await withProof(values, () => answer(api.DELETE("/users/profile", { body })));
    const { until } = erasure.stays.find(({ what }) => what === "backups") ?? {};
    dropDrafts();
    signOut();
    route("/");
    const date = new Date(until ?? "").toLocaleDateString(language.value, { dateStyle: "long" });
    announce(firstText("gone", { date }));
  };
  return (
    <section class="narrow">
      <Heading>{accountText("deleteAccount")}</Heading>
      <ul>
        <li>{firstText("ends")}</li>
        <li>{firstText("stay")}</li>
        <li>{firstText("votesStay")}</li>
        <li>{firstText("copies")}</li>
      </ul>
      <Form
        isEnd
        send={leave}
        button={firstText("forGood")}
        label={accountText("deleteAccount")}
        beside={
          <a class="button" href="/profile">
            {t("cancel")}
          </a>
        }
      >
        <Check name="withdraw" label={firstText("withdraw")} />
        {proofFields}
      </Form>
    </section>
  );
}
