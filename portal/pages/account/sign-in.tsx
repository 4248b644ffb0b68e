import { useState } from "preact/hooks";
import { answer, api } from "../../api.ts";
import { Action } from "../../parts/basics.tsx";
import { Form } from "../../parts/form.tsx";
import { ProviderButtons } from "../../parts/provider-buttons.tsx";
import { useWays } from "../../providers.ts";
import { useSignInUrl, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { DoorHead, EmailField, PasswordField, useFirstFactor } from "./entering.tsx";

/** Also takes the place of a page that wants an account. */
export function SignInPage({ hint }: { hint?: string }) {
  const signUpUrl = useSignInUrl("/sign-up");
  const { signInBy, secondStep } = useFirstFactor();
  const byMailUrl = useSignInUrl("/sign-in/mail");
  const resetUrl = useSignInUrl("/password-reset");
  const { allowSignup, sendsMail, magic, password: takesPasswords } = useSite();
  const { providers, sso } = useWays();
  const byMail = sendsMail && magic;
  const isOnlyProduct = sso && !takesPasswords && !byMail && providers.length === 0;
  const [isOwner, setOwner] = useState(false);
  const forgotten = sendsMail && <a href={resetUrl}>{t("forgotten")}</a>;
  const send = ({ email = "", password = "" }) =>
    signInBy(answer(api.POST("/auth/login", { body: { email, password } })));
  if (secondStep) return secondStep;
  return (
    <section class="narrow">
      <DoorHead hint={hint} />
      {(takesPasswords || isOwner) && (
        <Form send={send} button={t("signIn")} beside={forgotten}>
          <EmailField />
          <PasswordField />
        </Form>
      )}
      <ProviderButtons />
      {isOnlyProduct && <p>{t("productOnly")}</p>}
      {byMail && (
        <p>
          {takesPasswords && t("noPassword")}{" "}
          <a class={takesPasswords ? undefined : "button primary"} href={byMailUrl}>
            {t("mailLink")}
          </a>
        </p>
      )}
      {allowSignup && (
        <p>
          {t("noAccount")} <a href={signUpUrl}>{t("signUp")}</a>
        </p>
      )}
      {!takesPasswords && !isOwner && (
        <p>
          <Action act={() => setOwner(true)} label={t("passwordOfOwner")} />
        </p>
      )}
    </section>
  );
}
