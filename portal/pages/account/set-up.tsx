import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api } from "../../api.ts";
import { change } from "../../data.ts";
import { Heading, Pending } from "../../parts/basics.tsx";
import { Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { signIn } from "../../session.ts";
import { setUp, useSetUp } from "../../site.ts";
import { language, t } from "../../text.ts";
import { EmailField, PasswordField } from "./entering.tsx";
import { rareText } from "./rare-texts.ts";

/** The first page of a site that has no owner yet. */
export function SetUpPage() {
  const { route } = useLocation();
  const { data: isSetUp, ...read } = useSetUp();
  // The form stays until the next page is there.
  const [isLeaving, setLeaving] = useState(false);
  if (isSetUp === undefined) return <Pending {...read} />;
  const isOver = isSetUp && !isLeaving;
  const send = async ({ email = "", password = "", ...rest }: Values) => {
    // The statuses get names in the language of this page, whatever the browser's own is.
    const headers = { "Accept-Language": language.value };
    const { user } = await answer(api.POST("/auth/setup", { body: { email, password, ...rest }, headers }));
    setLeaving(true);
    change(setUp, () => true);
    signIn(user.authToken);
    route("/manage");
  };
  return (
    <section class="narrow">
      <Heading>{rareText("setUp")}</Heading>
      <p>{isOver ? [rareText("SETUP_COMPLETED"), " ", <a href="/">{t("toPosts")}</a>] : rareText("setUpHint")}</p>
      {!isOver && (
        <Form send={send} button={rareText("setUp")}>
          <Field name="siteTitle" label={t("siteTitle")} />
          <Field name="name" label={t("yourName")} autoComplete="name" required />
          <EmailField />
          <PasswordField kind="new" />
          <Field name="setupCode" label={rareText("setupCode")} hint={rareText("setupCodeHint")} autoComplete="off" />
        </Form>
      )}
    </section>
  );
}
