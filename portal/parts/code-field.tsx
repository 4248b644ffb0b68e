import { useState } from "preact/hooks";
import { t } from "../text.ts";
import { Action } from "./basics.tsx";
import { Field } from "./fields.tsx";

/** The six digits of the app, for which a phone shows digits, or in its place a recovery code, which has letters. */
export function CodeField() {
  const [isRecovery, setRecovery] = useState(false);
  return (
    <>
      {isRecovery ? (
        <Field
          key="recovery"
          name="code"
          label={t("recoveryCode")}
          hint={t("recoveryCodeHint")}
          autoComplete="off"
          autoCapitalize="characters"
          required
        />
      ) : (
        <AppCodeField key="app" hint={t("appCodeHint")} />
      )}
      <p>
        <Action act={() => setRecovery(!isRecovery)} label={t(isRecovery ? "useAppCode" : "useRecoveryCode")} />
      </p>
    </>
  );
}

export function AppCodeField({ hint }: { hint: string }) {
  return (
    <Field name="code" label={t("appCode")} hint={hint} inputMode="numeric" autoComplete="one-time-code" required />
  );
}
