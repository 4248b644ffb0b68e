import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { signIn } from "../../api.ts";
import { Field } from "../../parts/form.tsx";
import { t } from "../../text.ts";

// What the pages of accounts share: the way in, the token of a mail, and two fields.

/** Signs in, and goes where the person wanted to go: a page of this site, or the one that is open. */
export function useSignIn(): (account: { authToken: string }) => void {
  const { query, route, path } = useLocation();
  const target = new URL(URL.canParse(query.next ?? "", location.origin) ? (query.next ?? "") : "/", location.origin);
  const next = target.origin === location.origin ? target.pathname + target.search : "/";
  return ({ authToken }) => {
    signIn(authToken);
    if (path.startsWith("/sign-")) route(next, true);
  };
}

/** The token of a link in a mail, taken out of the address bar as soon as it is read. */
export function useMailToken(): string {
  const { query } = useLocation();
  const [mailToken] = useState<string>(query.token ?? globalThis.history?.state?.token ?? "");
  useEffect(() => history.replaceState({ token: mailToken }, "", location.pathname), []);
  return mailToken;
}

export function EmailField() {
  return <Field name="email" type="email" label={t("email")} autoComplete="email" required />;
}

export function PasswordField({ kind }: { kind: "current" | "new" }) {
  return (
    <Field
      name="password"
      type="password"
      label={t(kind === "new" ? "newPassword" : "password")}
      autoComplete={`${kind}-password`}
      hint={kind === "new" ? t("passwordHint") : ""}
      required
    />
  );
}
