import { answer, api } from "../../api.ts";
import { Heading } from "../../parts/basics.tsx";
import { Form } from "../../parts/form.tsx";
import { useSignInUrl, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { EmailField, PasswordField, Reason, useSignIn } from "./entering.tsx";

/** Also takes the place of a page that wants an account. */
export function SignInPage({ hint }: { hint?: string }) {
  const signUpUrl = useSignInUrl("/sign-up");
  const enter = useSignIn();
  const byMailUrl = useSignInUrl("/sign-in/mail");
  const { allowSignup, sendsMail, magic } = useSite();
  const forgotten = sendsMail && <a href="/password-reset">{t("forgotten")}</a>;
  const send = async ({ email = "", password = "" }) => {
    enter((await answer(api.POST("/auth/login", { body: { email, password } }))).user);
  };
  return (
    <section class="narrow">
      <Heading>{t("signIn")}</Heading>
      {hint ? <p>{hint}</p> : <Reason />}
      <Form send={send} button={t("signIn")} beside={forgotten}>
        <EmailField />
        <PasswordField kind="current" />
      </Form>
      {sendsMail && magic && (
        <p>
          {t("noPassword")} <a href={byMailUrl}>{t("mailLink")}</a>
        </p>
      )}
      {allowSignup && (
        <p>
          {t("noAccount")} <a href={signUpUrl}>{t("signUp")}</a>
        </p>
      )}
    </section>
  );
}
