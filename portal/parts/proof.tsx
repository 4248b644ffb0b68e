import { useState } from "preact/hooks";
import { answer, api, Failure } from "../api.ts";
import { signIn } from "../session.ts";
import { useProfile } from "../site.ts";
import { t } from "../text.ts";
import { Field } from "./fields.tsx";

/**
 * What wants a young session asks for the password in its own form: what was typed stays, and no session ends.
 * `passwordField` stands in the form, `prove` comes before the call, and `asking` around it.
 */
export function usePasswordProof() {
  const [isAsked, setAsked] = useState(false);
  const email = useProfile().data?.email ?? "";
  const prove = async (password: string | undefined) => {
    if (!password) return;
    const { user } = await answer(api.POST("/auth/login", { body: { email, password } })).catch(refuse);
    signIn(user.authToken);
  };
  const asking = async <T,>(work: Promise<T>): Promise<T> => {
    try {
      const result = await work;
      setAsked(false);
      return result;
    } catch (failure) {
      if (failure instanceof Failure && failure.code === "SIGN_IN_AGAIN") setAsked(true);
      throw failure;
    }
  };
  const passwordField = isAsked && (
    <Field name="password" type="password" label={t("password")} autoComplete="current-password" required />
  );
  return { passwordField, prove, asking };
}

function refuse(failure: Failure): never {
  if (failure.code !== "INCORRECT_PASSWORD") throw failure;
  throw new Failure(failure.status, failure.code, failure.message, { password: t("wrongPassword") });
}
