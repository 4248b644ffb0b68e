import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, type Failure, signIn, token } from "../api.ts";
import { change, useRead } from "../data.ts";
import { Action, Heading, Pending, Problem, Skeleton } from "../parts/basics.tsx";
import { Check, Field, Form, type Values } from "../parts/form.tsx";
import { announce, carryOut } from "../parts/notice.tsx";
import { useProfile, useSetUp, useSignInUrl, useSite } from "../site.ts";
import { t } from "../text.ts";

/** Signs in, and goes where the person wanted to go: a page of this site, or the one that is open. */
function useSignIn(): (account: { authToken: string }) => void {
  const { query, route, path } = useLocation();
  const target = new URL(URL.canParse(query.next ?? "", location.origin) ? (query.next ?? "") : "/", location.origin);
  const next = target.origin === location.origin ? target.pathname + target.search : "/";
  return ({ authToken }) => {
    signIn(authToken);
    if (path.startsWith("/sign-")) route(next, true);
  };
}

/** The token of a link in a mail, taken out of the address bar as soon as it is read. */
function useMailToken(): string {
  const { query } = useLocation();
  const [mailToken] = useState<string>(query.token ?? globalThis.history?.state?.token ?? "");
  useEffect(() => history.replaceState({ token: mailToken }, "", location.pathname), []);
  return mailToken;
}

const email = () => <Field name="email" type="email" label={t("email")} autoComplete="email" required />;

function password(kind: "current" | "new") {
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

/** Also takes the place of a page that wants an account. */
export function SignInPage({ hint }: { hint?: string }) {
  const signUpUrl = useSignInUrl("/sign-up");
  const enter = useSignIn();
  const { allowSignup } = useSite();
  const send = async ({ email = "", password = "" }) => {
    enter((await answer(api.POST("/auth/login", { body: { email, password } }))).user);
  };
  return (
    <section class="narrow">
      <Heading>{t("signIn")}</Heading>
      {hint && <p>{hint}</p>}
      <Form send={send} button={t("signIn")} beside={<a href="/password-reset">{t("forgotten")}</a>}>
        {email()}
        {password("current")}
      </Form>
      {allowSignup && (
        <p>
          {t("noAccount")} <a href={signUpUrl}>{t("signUp")}</a>
        </p>
      )}
    </section>
  );
}

export function SignUpPage() {
  const enter = useSignIn();
  const signInUrl = useSignInUrl();
  const send = async ({ email = "", password = "", ...rest }: Values) => {
    enter((await answer(api.POST("/auth/signup", { body: { email, password, ...rest } }))).user);
    announce(t("signedUp"));
  };
  return (
    <section class="narrow">
      <Heading>{t("signUp")}</Heading>
      <Form send={send} button={t("signUp")} beside={<a href={signInUrl}>{t("haveAccount")}</a>}>
        <Field name="name" label={t("name")} autoComplete="name" hint={t("nameHint")} />
        {email()}
        {password("new")}
      </Form>
    </section>
  );
}

/** The first page of a site that has no owner yet. */
export function SetUpPage() {
  const { route } = useLocation();
  const { data: isSetUp, ...read } = useSetUp();
  if (isSetUp === undefined) return <Pending {...read} />;
  const send = async ({ email = "", password = "", ...rest }: Values) => {
    const { user } = await answer(api.POST("/auth/setup", { body: { email, password, ...rest } }));
    change((data, key) => (key === "setup" ? true : data));
    signIn(user.authToken);
    route("/manage");
  };
  return (
    <section class="narrow">
      <Heading>{t("setUp")}</Heading>
      <p>{isSetUp ? [t("SETUP_COMPLETED"), " ", <a href="/">{t("toPosts")}</a>] : t("setUpHint")}</p>
      {!isSetUp && (
        <Form send={send} button={t("setUp")}>
          <Field name="siteTitle" label={t("siteTitle")} />
          <Field name="name" label={t("name")} autoComplete="name" />
          {email()}
          {password("new")}
          <Field name="setupCode" label={t("setupCode")} hint={t("setupCodeHint")} autoComplete="off" />
        </Form>
      )}
    </section>
  );
}

export function ResetPage() {
  const [sent, setSent] = useState(false);
  const send = async ({ email = "" }) => {
    await answer(api.POST("/auth/password/reset", { body: { email } }));
    setSent(true);
  };
  return (
    <section class="narrow">
      <Heading>{t("reset")}</Heading>
      <p role="status">{sent && t("resetSent")}</p>
      {!sent && (
        <Form send={send} button={t("sendLink")}>
          {email()}
        </Form>
      )}
    </section>
  );
}

export function NewPasswordPage() {
  const mailToken = useMailToken();
  const { route } = useLocation();
  const send = async ({ password = "" }) => {
    await answer(api.POST("/auth/password/set", { body: { token: mailToken, password } }));
    signIn(undefined);
    announce(t("passwordSet"));
    route("/sign-in");
  };
  return (
    <section class="narrow">
      <Heading>{t("newPassword")}</Heading>
      <Form send={send} button={t("save")} beside={<a href="/password-reset">{t("anotherLink")}</a>}>
        {password("new")}
      </Form>
    </section>
  );
}

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

const MAILS = ["status", "comments", "replies"] as const;

/** What of the posts that a person follows comes by mail. */
function Mails() {
  const { data, ...read } = useRead("mails", async (client) => (await answer(client.GET("/users/notifications"))).mail);
  const save = (values: Values) => {
    const body = { status: "status" in values, comments: "comments" in values, replies: "replies" in values };
    return carryOut(answer(api.PUT("/users/notifications", { body })), read.again);
  };
  if (!data) return <Pending {...read} lines={1} />;
  return (
    <Form send={save} button={t("save")} label={t("mails")}>
      <h2>{t("mails")}</h2>
      {MAILS.map((each) => (
        <Check key={each} name={each} label={t(`mails_${each}`)} on={data[each]} />
      ))}
    </Form>
  );
}

export function ProfilePage() {
  const { route } = useLocation();
  const { data: user, ...read } = useProfile();
  if (!token.value) return <SignInPage />;
  if (!user) return <Pending {...read} />;
  const save = ({ name = "" }) => carryOut(answer(api.PATCH("/users/profile", { body: { name } })), read.again);
  const confirm = async () => {
    await answer(api.POST("/auth/email/verify"));
    announce(t("linkSent", { email: user.email }));
  };
  const leave = async () => {
    await answer(api.POST("/auth/logout"));
    signIn(undefined);
    route("/");
  };
  return (
    <section class="narrow">
      <Heading>{t("profile")}</Heading>
      <p class="quiet-text">{user.email}</p>
      {!user.isVerified && (
        <Form send={confirm} button={t("sendLink")} label={t("confirm")}>
          <p>{t("unconfirmed")}</p>
        </Form>
      )}
      <Form send={save} button={t("save")}>
        <Field name="name" label={t("name")} value={user.name} autoComplete="name" required />
      </Form>
      <Mails />
      <p class="actions">
        <a class="button" href="/password-reset">
          {t("reset")}
        </a>
        <Action act={leave} label={t("signOut")} kind="" />
      </p>
    </section>
  );
}
