import { useEffect, useRef, useState } from "preact/hooks";
import { answer, api, type Failure } from "../../api.ts";
import type { Wish } from "../../doors.ts";
import { Heading } from "../../parts/basics.tsx";
import { focusSoon } from "../../parts/focus.ts";
import { Form } from "../../parts/form.tsx";
import { useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { AnotherLink } from "./another-link.tsx";
import { useMailToken } from "./entering.tsx";
import { firstText } from "./first-text.ts";
import { keepsPost, mailedWish, wishKeptForLink } from "./kept-for-mail.ts";
import { useSignInByMail } from "./new-name.tsx";
import { useWantedOfLink } from "./wanted.tsx";

/** The button would work no more: another link does. */
function LinkIsOver({ next }: { next: string | undefined }) {
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => focusSoon(() => sentence.current), []);
  return (
    <section class="narrow">
      <Heading>{t("signIn")}</Heading>
      <p ref={sentence} role="alert" class="problem" tabIndex={-1}>
        {t("INVALID_TOKEN")}
      </p>
      <p class="actions">
        <AnotherLink page="/sign-in/mail" next={next} kind="button primary" />
      </p>
    </section>
  );
}

/** What the link of a mail opens. Only its button signs in: programs open links too. */
export function SignInLinkPage() {
  const mailToken = useMailToken();
  const { does, next } = useWantedOfLink();
  // A comment is where it was typed.
  const then = does === "comment" || !does ? "askedElsewhere" : (`thenPost_${does}` as const);
  const { signInBy, secondStep } = useSignInByMail();
  const { title } = useSite();
  const [isOver, setOver] = useState(false);
  /** What this browser keeps for the link; undefined if that is nothing: another one may have asked for the mail. */
  const [kept, setKept] = useState<Wish | undefined>({});
  const [mayPost, setMayPost] = useState(false);
  useEffect(() => {
    setKept(wishKeptForLink(next));
    setMayPost(!next && keepsPost());
  }, []);
  const send = async () => {
    const call = answer(api.POST("/auth/magic/verify", { body: { token: mailToken } }));
    const checked = call.catch((failure: Failure) => {
      setOver(failure.code === "INVALID_TOKEN");
      throw failure;
    });
    const wishOf = (email?: string) => (email ? mailedWish(email, next) : wishKeptForLink(next)) ?? { next };
    await signInBy(checked, wishOf);
  };
  if (secondStep) return secondStep;
  if (isOver) return <LinkIsOver next={next} />;
  return (
    <section class="narrow">
      <Heading>{t("signIn")}</Heading>
      <Form send={send} button={t("signIn")}>
        <p>{firstText("linkAsks", { title })}</p>
        {does && kept?.intent && <p>{firstText(`then_${does}`, { title: kept.intent.title })}</p>}
        {mayPost && <p>{firstText("then_post")}</p>}
        {!kept && <p>{firstText(then)}</p>}
      </Form>
    </section>
  );
}
