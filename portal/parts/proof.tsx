import { useState } from "preact/hooks";
import { answer, api, Failure } from "../api.ts";
import { useWays } from "../providers.ts";
import { signIn } from "../session.ts";
import { useProfile, useSignInUrl, useSite } from "../site.ts";
import { t } from "../text.ts";
import { CodeField } from "./code-field.tsx";
import { Field, type Values } from "./fields.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";

/**
 * What wants a young session asks for the password in its own form, and for a code of the app if the account has one:
 * what was typed stays, and no session ends. Accounts without a password sign in again as they do, and come back.
 * `proofFields` stand in the form; `withProof` does the work after what was typed into them has opened a young session.
 */
export function usePasswordProof() {
  const [isAsked, setAsked] = useState(false);
  const [challenge, setChallenge] = useState<string>();
  const email = useProfile().data?.email ?? "";
  const enterBy = async (call: ReturnType<typeof logIn>) => {
    const { user } = await call;
    setChallenge(undefined);
    signIn(user.authToken);
  };
  const prove = async ({ password, code }: Values) => {
    if (challenge && code) return enterBy(answer(api.POST("/auth/two-factor", { body: { challenge, code } })));
    if (!password) return;
    await enterBy(logIn(email, password)).catch((failure: Failure) => {
      const asked = failure.twoFactor?.challenge;
      setChallenge(asked);
      return asked ? askIn("code", failure) : Promise.reject(failure);
    });
  };
  const withProof = async <T,>(typed: Values, work: () => Promise<T>): Promise<T> => {
    await prove(typed);
    try {
      const result = await work();
      setAsked(false);
      return result;
    } catch (failure) {
      if (failure instanceof Failure && failure.code === "SIGN_IN_AGAIN") {
        setAsked(true);
        return askIn("password", failure);
      }
      throw failure;
    }
  };
  const proofFields = isAsked && (
    <>
      {challenge ? (
        <CodeField />
      ) : (
        <Field name="password" type="password" label={t("password")} autoComplete="current-password" required />
      )}
      <OtherWays />
    </>
  );
  return { proofFields, withProof };
}

/** The ways to sign in again without a password, which lead back to this page. */
export function OtherWays() {
  const { sendsMail, magic } = useSite();
  const { sso } = useWays();
  const byMailUrl = useSignInUrl("/sign-in/mail");
  return (
    <>
      {sendsMail && magic && (
        <p>
          {t("noPassword")}{" "}
          <a class="button" href={byMailUrl}>
            {t("mailLink")}
          </a>
        </p>
      )}
      <ProviderButtons />
      {sso && (
        <p>
          {t("noPassword")} {t("productOnly")}
        </p>
      )}
    </>
  );
}

/** Fails at a field that was just asked for, once the page has it: the form then leads the keyboard to it. */
async function askIn(field: string, failure: Failure): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve));
  throw at(field, failure);
}

/** The failure as the problem of a field. */
function at(field: string, { status, code, message }: Failure): Failure {
  return new Failure(status, code, message, { [field]: message });
}

function logIn(email: string, password: string) {
  return answer(api.POST("/auth/login", { body: { email, password } })).catch(refusePassword);
}

/** Says that a present password is wrong, at its field. */
export function refusePassword(failure: Failure): never {
  if (failure.code !== "INCORRECT_PASSWORD") throw failure;
  throw at("password", new Failure(failure.status, failure.code, t("wrongPassword")));
}
