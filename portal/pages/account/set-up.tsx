import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, Failure } from "../../api.ts";
import { change } from "../../data.ts";
import { Heading, Pending } from "../../parts/basics.tsx";
import { Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { signIn } from "../../session.ts";
import { setUp, useSetUp, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { accountText } from "./account-text.ts";
import { EmailField } from "./entering.tsx";
import { firstText } from "./first-text.ts";
import { NewPasswordField } from "./new-password-field.tsx";

/** The first page of a site that has no owner yet. */
export function SetUpPage() {
  const { route } = useLocation();
  const { data: isSetUp, ...read } = useSetUp();
  const { sendsMail } = useSite();
  // The form stays until the next page is there.
  const [isLeaving, setLeaving] = useState(false);
  const [asksCode, setAsksCode] = useState(false);
  if (isSetUp === undefined) return <Pending {...read} />;
  const isOver = isSetUp && !isLeaving;
  const send = async ({ email = "", password = "", ...rest }: Values) => {
    const setting = answer(api.POST("/auth/setup", { body: { email, password, ...rest } }));
    const { user } = await setting.catch((failure: Failure) => {
      // Another person was first: the page says so.
      if (failure.code === "SETUP_COMPLETED") change(setUp, () => true);
      if (failure.code !== "NOT_ENOUGH_PERMISSION") throw failure;
      setAsksCode(true);
      const said = firstText(rest.setupCode ? "wrongSetupCode" : "asksSetupCode");
      throw new Failure(failure.status, failure.code, said, { setupCode: said });
    });
    setLeaving(true);
    change(setUp, () => true);
    signIn(user.authToken);
    // The keyboard begins where the first steps do, above the heading.
    document.getElementById("main")?.focus();
    route("/manage");
  };
  if (isOver)
    return (
      <section class="narrow">
        <Heading>{firstText("setUp")}</Heading>
        <p>{firstText("SETUP_COMPLETED")}</p>
        <p class="actions">
          <a class="button primary" href="/sign-in?next=/manage">
            {t("signIn")}
          </a>
          <a class="button" href="/">
            {t("toPosts")}
          </a>
        </p>
      </section>
    );
  return (
    <section class="narrow">
      <Heading>{firstText("setUp")}</Heading>
      <p class="lead-text">{firstText("welcome")}</p>
      <Form send={send} button={firstText("setUp")}>
        <Field name="siteTitle" label={t("siteTitle")} hint={firstText("siteTitleHint")} />
        <Field name="name" label={accountText("yourName")} autoComplete="name" required />
        <EmailField />
        <NewPasswordField />
        {asksCode && (
          <Field
            name="setupCode"
            label={firstText("setupCode")}
            hint={firstText("setupCodeHint")}
            autoComplete="off"
            required
          />
        )}
      </Form>
      <h2>{firstText("next")}</h2>
      <ol>
        <li>{firstText("nextOwner")}</li>
        {sendsMail && <li>{firstText("nextMail")}</li>}
        <li>{firstText("nextSteps")}</li>
      </ol>
    </section>
  );
}
