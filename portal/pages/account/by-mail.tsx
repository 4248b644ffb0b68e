import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, type Failure } from "../../api.ts";
import { wishFor } from "../../doors.ts";
import { announce } from "../../notices.ts";
import { Action } from "../../parts/basics.tsx";
import { Field } from "../../parts/fields.tsx";
import { focusSoon } from "../../parts/focus.ts";
import { Form } from "../../parts/form.tsx";
import { ProviderButtons } from "../../parts/provider-buttons.tsx";
import { useSignInUrl, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { awaited, forgetAwaited } from "./awaited.ts";
import { DoorHead, EmailField } from "./entering.tsx";
import { firstText } from "./first-text.ts";
import { keepForMail, keepForSentMail } from "./kept-for-mail.ts";
import { useSignInByMail } from "./new-name.tsx";
import { OnlyDomains } from "./only-domains.tsx";
import { useWaiting } from "./waiting.tsx";
import { wantsOf } from "./wanted.tsx";

/** Asks where to send the mail, which signs in, and up. */
function AskForm({ ask }: { ask: (email: string) => Promise<void> }) {
  const { allowSignup } = useSite();
  return (
    <>
      <Form send={({ email = "" }) => ask(email)} button={t("mailLink")}>
        <EmailField {...(allowSignup && { hint: firstText("mailSignsUp") })} />
      </Form>
      <ProviderButtons />
      <WithoutMail />
    </>
  );
}

/** The ways without a mail, each one page away. */
function WithoutMail() {
  const signInUrl = useSignInUrl("/sign-in");
  const signUpUrl = useSignInUrl("/sign-up");
  const { password, allowSignup } = useSite();
  return (
    <>
      <p>
        {/* The owner still has a password, and there may be providers. */}
        <a href={signInUrl}>{firstText(password ? "withPassword" : "otherWays")}</a>
      </p>
      {password && allowSignup && (
        <p>
          <a href={signUpUrl}>{firstText("signUpWithPassword")}</a>
        </p>
      )}
    </>
  );
}

type CodeProps = { send: (values: { code?: string }) => Promise<void>; again: () => Promise<void>; change: () => void };

/** `again` mails once more, `change` asks for another address. */
function CodeForm({ send, again, change }: CodeProps) {
  const [isRefused, setRefused] = useState(false);
  const sendCode = (values: { code?: string }) =>
    send(values).catch((failure: Failure) => {
      setRefused(failure.code === "INCORRECT_CODE");
      throw failure;
    });
  const others = (
    <>
      <Action act={again} label={firstText("anotherMail")} kind="" />
      <Action act={change} label={firstText("otherAddress")} kind="" />
    </>
  );
  return (
    <Form send={sendCode} button={t("signIn")} beside={others}>
      <Field
        name="code"
        label={t("code")}
        hint={firstText("codeHint")}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellcheck={false}
        required
      />
      {isRefused && <p role="status">{firstText("codeElsewhere")}</p>}
    </Form>
  );
}

/** Mails a link and a code, and takes the code. If the link is opened in another tab, this one continues by itself. */
export function SignInByMailPage() {
  const { query } = useLocation();
  const { sendsMail, magic } = useSite();
  const [email, setEmail] = useState<string>();
  const page = useRef<HTMLElement>(null);
  /** This tab has taken the code. Until the next page is there, it does not wait for another tab. */
  const entersHere = useRef(false);
  const { signInBy, secondStep } = useSignInByMail();
  useEffect(() => {
    setEmail(awaited()?.email);
    keepForSentMail(query.next);
  }, []);
  const unknown = useWaiting(query.next, () => email !== undefined && !entersHere.current);
  const mail = async (address: string) => {
    const wants = wantsOf(wishFor(query.next));
    await answer(api.POST("/auth/magic", { body: { email: address, ...(wants && { wants }) } }));
    keepForMail(query.next, address, true);
  };
  const ask = async (address: string) => {
    await mail(address);
    setEmail(address);
    focusSoon(() => page.current?.querySelector("input"));
  };
  const again = async () => {
    if (!email) return;
    await mail(email);
    announce(firstText("mailSent", { email }));
  };
  const change = () => {
    forgetAwaited();
    setEmail(undefined);
  };
  const sendCode = ({ code = "" }) => {
    const call = answer(api.POST("/auth/magic/verify", { body: { email: email ?? "", code } }));
    const entering = call.then((entered) => {
      entersHere.current = true;
      return entered;
    });
    return signInBy(entering);
  };
  if (secondStep) return secondStep;
  const isOff = !sendsMail || !magic;
  return (
    <section ref={page} class="narrow">
      <DoorHead />
      <p role="status">{email && firstText("mailSent", { email })}</p>
      {unknown}
      {isOff && <p>{sendsMail ? firstText("MAGIC_NOT_ALLOWED") : t("MAIL_CONFIG_MISSING")}</p>}
      {isOff && <WithoutMail />}
      {!isOff && !email && <OnlyDomains />}
      {!isOff && !email && <AskForm ask={ask} />}
      {!isOff && email && <CodeForm send={sendCode} again={again} change={change} />}
    </section>
  );
}
