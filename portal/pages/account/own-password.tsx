import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { isNoAddress } from "../../../lib/values/no-address.ts";
import { answer, api, type Failure, type Schemas } from "../../api.ts";
import { useRead } from "../../data.ts";
import { announce } from "../../notices.ts";
import { AccountNav } from "../../parts/account-nav.tsx";
import { Heading, Pending } from "../../parts/basics.tsx";
import { Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { OtherWays, refusePassword } from "../../parts/proof.tsx";
import { signIn } from "../../session.ts";
import { useProfile, useReadOfRights, useRights, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { firstText } from "./first-text.ts";
import { NewPasswordField } from "./new-password-field.tsx";
import { ownWays, useMayHavePassword } from "./own-ways.ts";

type OwnPasswordProps = { user: Schemas["Profile"]; hasPassword: boolean };

/**
 * Changes the password by the present one; who has forgotten it gets a mail. Who has none sets the first one, and signs
 * in again for it where the session is old.
 */
function OwnPassword({ user, hasPassword }: OwnPasswordProps) {
  const { sendsMail } = useSite();
  const { route } = useLocation();
  const [isOld, setOld] = useState(false);
  const title = firstText(hasPassword ? "changePassword" : "setPassword");
  const refuse = (failure: Failure): never => {
    setOld(failure.code === "SIGN_IN_AGAIN");
    return refusePassword(failure);
  };
  const send = async ({ password, newPassword = "" }: Values) => {
    const body = { newPassword, ...(password && { password }) };
    const changed = await answer(api.POST("/users/profile/password", { body })).catch(refuse);
    signIn(changed.user.authToken);
    route("/profile");
    announce(firstText(hasPassword ? "passwordChanged" : "firstPasswordSet"));
  };
  const forgotten = sendsMail && hasPassword && <a href="/password-reset">{t("forgotten")}</a>;
  return (
    <>
      <Heading>{title}</Heading>
      <Form send={send} button={title} label={title} beside={forgotten}>
        {/* A manager of passwords learns whose it is. */}
        <input autoComplete="username" value={user.email} readOnly hidden />
        {hasPassword && (
          <Field
            name="password"
            type="password"
            label={firstText("presentPassword")}
            autoComplete="current-password"
            required
          />
        )}
        <NewPasswordField name="newPassword" label={hasPassword ? firstText("newPassword") : t("password")} />
        {user.newEmail && <p>{firstText("endsNewAddress", { email: user.newEmail })}</p>}
        {isOld && <OtherWays />}
      </Form>
    </>
  );
}

/** The password of one's own account, or why it has none. */
function Content({ user }: { user: Schemas["Profile"] }) {
  const { data: ways, ...read } = useRead(ownWays());
  const rights = useRights();
  const readOfRights = useReadOfRights();
  const isAllowed = useMayHavePassword(user);
  if (!ways) return <Pending {...read} />;
  // Until the rights are known, nobody is the owner, who may more than others.
  if (!isAllowed && !rights) return <Pending {...readOfRights} />;
  if (!isAllowed) {
    return (
      <>
        <Heading>{t("password")}</Heading>
        <p>{isNoAddress(user.email) ? firstText("passwordNeedsAddress") : t("PASSWORD_NOT_ALLOWED")}</p>
      </>
    );
  }
  return <OwnPassword user={user} hasPassword={ways.hasPassword} />;
}

export default function OwnPasswordPage() {
  const { data: user, ...read } = useProfile();
  if (!user) return <Pending {...read} />;
  return (
    <>
      <AccountNav />
      <section class="narrow">
        <Content user={user} />
      </section>
    </>
  );
}
