import { useEffect, useState } from "preact/hooks";
import { answer, api, type Failure } from "../../api.ts";
import { Heading, Problem, Skeleton } from "../../parts/basics.tsx";
import { token } from "../../session.ts";
import { t } from "../../text.ts";
import { useMailToken } from "./entering.tsx";
import { SignInPage } from "./sign-in.tsx";

export function ConfirmPage() {
  const mailToken = useMailToken();
  const [state, setState] = useState<Failure | "confirmed">();
  const isSignedIn = token.value !== undefined;
  const confirm = () =>
    answer(api.POST("/auth/email/validate", { body: { token: mailToken } })).then(
      () => setState("confirmed"),
      setState,
    );
  useEffect(() => {
    if (isSignedIn) confirm();
  }, [isSignedIn]);
  if (!isSignedIn) return <SignInPage hint={t("confirmSignedOut")} />;
  return (
    <section class="narrow">
      <Heading>{t("confirm")}</Heading>
      {!state && <Skeleton lines={1} />}
      <p role="status">{state === "confirmed" && [t("confirmed"), " ", <a href="/">{t("toPosts")}</a>]}</p>
      {state && state !== "confirmed" && (
        <>
          <Problem failure={state} again={confirm} />
          <a href="/profile">{t("anotherLink")}</a>
        </>
      )}
    </section>
  );
}
