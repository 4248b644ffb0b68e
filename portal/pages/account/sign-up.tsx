import { answer, api } from "../../api.ts";
import { announce } from "../../notices.ts";
import { Heading } from "../../parts/basics.tsx";
import { Field, Form, type Values } from "../../parts/form.tsx";
import { useSignInUrl } from "../../site.ts";
import { t } from "../../text.ts";
import { EmailField, PasswordField, useSignIn } from "./entering.tsx";

export function SignUpPage() {
  const enter = useSignIn();
  const signInUrl = useSignInUrl();
  const send = async ({ email = "", password = "", ...rest }: Values) => {
    enter((await answer(api.POST("/auth/signup", { body: { email, password, ...rest } }))).user);
    announce(t("signedUp"));
  };
  return (
    <section class="narrow">
      <Heading>{t("signUp")}</Heading>
      <Form send={send} button={t("signUp")} beside={<a href={signInUrl}>{t("haveAccount")}</a>}>
        <Field name="name" label={t("name")} autoComplete="name" hint={t("nameHint")} />
        <EmailField />
        <PasswordField kind="new" />
      </Form>
    </section>
  );
}
