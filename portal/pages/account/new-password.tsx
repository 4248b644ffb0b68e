import { useLocation } from "preact-iso/router";
import { answer, api } from "../../api.ts";
import { announce } from "../../notices.ts";
import { Heading } from "../../parts/basics.tsx";
import { Form } from "../../parts/form.tsx";
import { signOut } from "../../session.ts";
import { t } from "../../text.ts";
import { PasswordField, useMailToken } from "./entering.tsx";

export function NewPasswordPage() {
  const mailToken = useMailToken();
  const { route } = useLocation();
  const send = async ({ password = "" }) => {
    await answer(api.POST("/auth/password/set", { body: { token: mailToken, password } }));
    signOut();
    announce(t("passwordSet"));
    route("/sign-in");
  };
  return (
    <section class="narrow">
      <Heading>{t("newPassword")}</Heading>
      <Form send={send} button={t("save")} beside={<a href="/password-reset">{t("anotherLink")}</a>}>
        <PasswordField kind="new" label={t("newPassword")} />
      </Form>
    </section>
  );
}
