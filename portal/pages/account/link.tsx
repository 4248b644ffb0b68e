import { useState } from "preact/hooks";
import { answer, api, type Failure } from "../../api.ts";
import { mailedWish } from "../../doors.ts";
import { Heading } from "../../parts/basics.tsx";
import { Form } from "../../parts/form.tsx";
import { useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { useMailToken, useSignIn } from "./entering.tsx";

/** What the link of a mail opens. Only its button signs in: programs open links too. */
export function SignInLinkPage() {
  const mailToken = useMailToken();
  const enter = useSignIn();
  const { title } = useSite();
  const [isOver, setOver] = useState(false);
  const send = async () => {
    const call = answer(api.POST("/auth/magic/verify", { body: { token: mailToken } }));
    const { user } = await call.catch((failure: Failure) => {
      setOver(failure.code === "INVALID_TOKEN");
      throw failure;
    });
    enter(user, mailedWish() ?? {});
  };
  return (
    <section class="narrow">
      <Heading>{t("signIn")}</Heading>
      <Form send={send} button={t("signIn")} beside={isOver && <a href="/sign-in/mail">{t("anotherLink")}</a>}>
        <p>{t("linkAsks", { title })}</p>
      </Form>
    </section>
  );
}
