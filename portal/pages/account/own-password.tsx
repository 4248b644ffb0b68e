import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, type Failure } from "../../api.ts";
import { announce } from "../../notices.ts";
import { AccountNav } from "../../parts/account-nav.tsx";
import { Action, Heading, Pending } from "../../parts/basics.tsx";
import { Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { askIn, OtherWays, refusePassword } from "../../parts/proof.tsx";
import { signIn } from "../../session.ts";
import { useProfile, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { firstText } from "./first-text.ts";
import { NewPasswordField } from "./new-password-field.tsx";

/**
 * Changes the password by the present one. Who has none sets the first one, and signs in again for it where the session
 * is old; who has forgotten it gets a mail.
 */
export default function OwnPasswordPage() {
  const { data: user, ...read } = useProfile();
  const { sendsMail } = useSite();
  const { route } = useLocation();
  const [hasNone, setNone] = useState(false);
  const [isOld, setOld] = useState(false);
  if (!user) return <Pending {...read} />;
  const refuse = (failure: Failure): Promise<never> => {
    setOld(failure.code === "SIGN_IN_AGAIN");
    if (failure.code !== "PASSWORD_MISSING") return refusePassword(failure);
    setNone(false);
    return askIn("password", failure);
  };
  const send = async ({ password, newPassword = "" }: Values) => {
    const body = { newPassword, ...(password && { password }) };
    const changed = await answer(api.POST("/users/profile/password", { body })).catch(refuse);
    signIn(changed.user.authToken);
    route("/profile");
    announce(firstText("passwordChanged"));
  };
  const others = (
    <>
      {sendsMail && <a href="/password-reset">{t("forgotten")}</a>}
      {!hasNone && <Action act={() => setNone(true)} label={t("noPassword")} />}
    </>
  );
  return (
    <>
      <AccountNav />
      <section class="narrow">
        <Heading>{t("password")}</Heading>
        <Form send={send} button={t("save")} label={t("password")} beside={others}>
          {/* A manager of passwords learns whose it is. */}
          <input autoComplete="username" value={user.email} readOnly hidden />
          {!hasNone && (
            <Field
              name="password"
              type="password"
              label={firstText("presentPassword")}
              autoComplete="current-password"
              required
            />
          )}
          <NewPasswordField name="newPassword" label={firstText("newPassword")} />
          {isOld && <OtherWays />}
        </Form>
      </section>
    </>
  );
}
