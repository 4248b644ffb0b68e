import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
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
import { EmailField, useWayOn } from "./entering.tsx";
import { firstText } from "./first-text.ts";
import { keepForMail, wishOfWaiting } from "./kept-for-mail.ts";
import { wantsOf } from "./wanted.tsx";

/** Mails a link that sets a password. If another tab has signed in by it, this one continues by itself. */
export function ResetPage() {
  const { next } = useLocation().query;
  const goOn = useWayOn();
  const [sentTo, setSentTo] = useState("");
  const { sendsMail } = useSite();
  const { email: known = "" } = useProfile().data ?? {};
  // An account without an address has one that gets no mail.
  const own = known.endsWith(".invalid") ? "" : known;
  const status = useRef<HTMLParagraphElement>(null);
  const before = useRef<string>();
  useEffect(() => {
    // Who was signed in here already has only a new token.
    if (sentTo && token.value && !before.current) void wishOfWaiting(next).then(goOn);
    before.current = token.value;
  }, [token.value]);
  const send = async ({ email = "" }) => {
    const wants = wantsOf(wishFor(next));
    await answer(api.POST("/auth/password/reset", { body: { email, ...(wants && { wants }) } }));
    keepForMail(next, email);
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
      {!sendsMail && <p>{t("MAIL_CONFIG_MISSING")}</p>}
      {sentTo && <Action act={() => send({ email: sentTo })} label={t("anotherLink")} kind="" />}
      {sendsMail && !sentTo && (
        <Form key={own} send={send} button={accountText("sendLink")}>
          <EmailField hint={firstText("resetHint")} {...(own && { value: own })} />
        </Form>
      )}
    </section>
  );
}
