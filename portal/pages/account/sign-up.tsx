import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, type Failure } from "../../api.ts";
import { type Intent, wishFor } from "../../doors.ts";
import { announce } from "../../notices.ts";
import { Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useSignInPage, useSignInUrl, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { accountText } from "./account-text.ts";
import { DoorHead, EmailField, useSignIn } from "./entering.tsx";
import { firstText } from "./first-text.ts";
import { NewPasswordField } from "./new-password-field.tsx";
import { OnlyDomains } from "./only-domains.tsx";
import { wantsOf } from "./wanted.tsx";

function SignUpHead({ gives = "" }) {
  const reasonOf = ({ does, title }: Intent) => firstText(`signUpTo_${does}`, { title });
  return <DoorHead way="signUp" reasonOf={reasonOf} gives={gives} />;
}

/** What is wrong with an address. Browsers accept a domain without a dot, of which there are several. */
function problemOfAddress(email: string): string | undefined {
  return /@[^@]*[.。．｡]/.test(email) ? undefined : t("EMAIL_INVALID");
}

export function SignUpPage() {
  const enter = useSignIn();
  const signInUrl = useSignInUrl(useSignInPage());
  const byMailUrl = useSignInUrl("/sign-in/mail");
  const resetUrl = useSignInUrl("/password-reset");
  const { next } = useLocation().query;
  const { allowSignup, sendsMail, magic, password: takesPasswords } = useSite();
  const [isKnown, setKnown] = useState(false);
  const send = async ({ email = "", password = "", ...rest }: Values) => {
    const wants = wantsOf(wishFor(next));
    const call = answer(api.POST("/auth/signup", { body: { email, password, ...rest, ...(wants && { wants }) } }));
    const { user } = await call.catch((failure: Failure) => {
      setKnown(failure.code === "USER_EXISTS");
      throw failure;
    });
    enter(user);
    announce(firstText("signedUp"));
  };
  if (!allowSignup)
    return (
      <section class="narrow">
        <SignUpHead />
        <p>{firstText("signUpClosed")}</p>
        <a href={signInUrl}>{firstText("haveAccount")}</a>
      </section>
    );
  if (!takesPasswords)
    return (
      <section class="narrow">
        <SignUpHead gives={firstText("signUpGives")} />
        <OnlyDomains />
        <a class="button primary" href={byMailUrl}>
          {t("mailLink")}
        </a>
      </section>
    );
  return (
    <section class="narrow">
      <SignUpHead gives={firstText("signUpGives")} />
      <OnlyDomains />
      <Form send={send} button={t("signUp")} isGuarded beside={<a href={signInUrl}>{firstText("haveAccount")}</a>}>
        <Field name="name" label={accountText("yourName")} autoComplete="name" hint={firstText("nameHint")} required />
        <EmailField check={problemOfAddress} onInput={() => setKnown(false)} />
        <NewPasswordField />
      </Form>
      {sendsMail && magic && (
        <p>
          {t("noPassword")} <a href={byMailUrl}>{t("mailLink")}</a>
        </p>
      )}
      {isKnown && sendsMail && (
        <p>
          {firstText("isItYours")} <a href={resetUrl}>{firstText("passwordByMail")}</a>
        </p>
      )}
    </section>
  );
}
