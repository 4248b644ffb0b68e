import { useState } from "preact/hooks";
import { answer, api, type Failure } from "../../api.ts";
import { mailedWish } from "../../doors.ts";
import { Heading } from "../../parts/basics.tsx";
import { Form } from "../../parts/form.tsx";
import { useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { useFirstFactor, useMailToken } from "./entering.tsx";
import { firstText } from "./first-text.ts";
import { useSignInByMail } from "./new-name.tsx";

/** What the link of a mail opens. Only its button signs in: programs open links too. */
export function SignInLinkPage() {
  const mailToken = useMailToken();
  const { signInBy, secondStep } = useFirstFactor();
  const enterByMail = useSignInByMail();
  const { title } = useSite();
  const [isOver, setOver] = useState(false);
  const send = async () => {
    const call = answer(api.POST("/auth/magic/verify", { body: { token: mailToken } }));
    const checked = call.catch((failure: Failure) => {
      setOver(failure.code === "INVALID_TOKEN");
      throw failure;
    });
    await signInBy(checked, () => mailedWish() ?? {}, enterByMail);
  };
  if (secondStep) return secondStep;
  return (
    <section class="narrow">
      <Heading>{t("signIn")}</Heading>
      <Form send={send} button={t("signIn")} beside={isOver && <a href="/sign-in/mail">{t("anotherLink")}</a>}>
        <p>{firstText("linkAsks", { title })}</p>
      </Form>
    </section>
  );
}
