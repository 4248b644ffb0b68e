import { useRef, useState } from "preact/hooks";
import { answer, api } from "../../api.ts";
import { Heading } from "../../parts/basics.tsx";
import { focusSoon } from "../../parts/focus.ts";
import { Form } from "../../parts/form.tsx";
import { useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { accountText } from "./account-text.ts";
import { EmailField } from "./entering.tsx";
import { firstText } from "./first-text.ts";

export function ResetPage() {
  const [sent, setSent] = useState(false);
  const { sendsMail } = useSite();
  const status = useRef<HTMLParagraphElement>(null);
  const send = async ({ email = "" }) => {
    await answer(api.POST("/auth/password/reset", { body: { email } }));
    setSent(true);
    focusSoon(() => status.current);
  };
  return (
    <section class="narrow">
      <Heading>{accountText("reset")}</Heading>
      <p ref={status} role="status" tabIndex={-1}>
        {sent && firstText("resetSent")}
      </p>
      {!sendsMail && <p>{t("MAIL_CONFIG_MISSING")}</p>}
      {sendsMail && !sent && (
        <Form send={send} button={accountText("sendLink")}>
          <EmailField />
        </Form>
      )}
    </section>
  );
}
