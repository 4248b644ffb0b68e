import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { isNoAddress } from "../../../lib/values/no-address.ts";
import { answer, api } from "../../api.ts";
import { wishFor } from "../../doors.ts";
import { Back } from "../../parts/back.tsx";
import { Action, Heading } from "../../parts/basics.tsx";
import { focusSoon } from "../../parts/focus.ts";
import { Form } from "../../parts/form.tsx";
import { token } from "../../session.ts";
import { useProfile, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { withQuery } from "../../with-query.ts";
import { accountText } from "./account-text.ts";
import { EmailField } from "./entering.tsx";
import { firstText } from "./first-text.ts";
import { keepForMail } from "./kept-for-mail.ts";
import { useWaiting } from "./waiting.tsx";
import { wantsOf } from "./wanted.tsx";

/** Mails a link that sets a password. If another tab has signed in by it, this one continues by itself. */
export function ResetPage() {
  const { next } = useLocation().query;
  const [sentTo, setSentTo] = useState("");
  const { sendsMail } = useSite();
  const { data: user } = useProfile();
  const own = user && !isNoAddress(user.email) ? user.email : "";
  useLayoutEffect(() => {
    const { activeElement: field } = document;
    // A person who is about to type has seen an empty field: what they type takes the place of their own address.
    if (own && field instanceof HTMLInputElement && field.value === own) field.select();
  }, [own]);
  const status = useRef<HTMLParagraphElement>(null);
  /** Who was signed in here already has only a new token. */
  const isVisitor = useRef(false);
  const unknown = useWaiting(next, () => isVisitor.current);
  const send = async ({ email = "" }) => {
    const wants = wantsOf(wishFor(next));
    await answer(api.POST("/auth/password/reset", { body: { email, ...(wants && { wants }) } }));
    keepForMail(next, email);
    isVisitor.current = token.value === undefined;
    setSentTo(email);
    focusSoon(() => status.current);
  };
  return (
    <section class="narrow">
      <Back url={token.value ? "/profile" : withQuery("/sign-in", { next })}>{t("goBack")}</Back>
      <Heading>{accountText("reset")}</Heading>
      <p ref={status} role="status" tabIndex={-1}>
        {sentTo && firstText("resetSent", { email: sentTo })}
      </p>
      {unknown}
      {!sendsMail && <p>{t("MAIL_CONFIG_MISSING")}</p>}
      {sentTo && <Action act={() => send({ email: sentTo })} label={t("anotherLink")} kind="" />}
      {sendsMail && !sentTo && (
        <Form send={send} button={accountText("sendLink")}>
          <EmailField hint={firstText("resetHint")} value={own} />
        </Form>
      )}
    </section>
  );
}
