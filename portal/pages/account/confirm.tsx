import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, type Failure, type Schemas } from "../../api.ts";
import { reloadShown } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Action, Heading, Problem, Skeleton } from "../../parts/basics.tsx";
import { signOut, token } from "../../session.ts";
import { useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { accountText } from "./account-text.ts";
import { useMailToken } from "./entering.tsx";
import { firstText } from "./first-text.ts";
import { SignInPage } from "./sign-in.tsx";
import { useWantedOfLink } from "./wanted.tsx";

type Outcome = { failure?: Failure; user?: Schemas["Profile"] };

/** Confirms an address by the token of its mail. If that fails, tells whose session it was. */
async function confirmed(mailToken: string): Promise<Outcome> {
  try {
    await answer(api.POST("/auth/email/validate", { body: { token: mailToken } }));
    return {};
  } catch (error) {
    const failure = error as Failure;
    if (failure.code !== "INVALID_TOKEN" && failure.code !== "OTHER_ACCOUNT") return { failure };
    return { failure, user: (await answer(api.GET("/users/profile"))).user };
  }
}

function Confirmed() {
  return (
    <>
      {accountText("confirmed")} <a href="/">{t("toPosts")}</a>
    </>
  );
}

/** The link came to the address of another account. */
function OfAnother({ email, change }: { email: string; change: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>{accountText("linkOfAnother", { email })}</p>
      <Action act={change} label={accountText("otherAccount")} kind="" />
    </div>
  );
}

function Failed({ failure, user, again }: Outcome & { failure: Failure; again: () => void }) {
  if (failure.code === "OTHER_ACCOUNT" && user) return <OfAnother email={user.email} change={signOut} />;
  return (
    <>
      <Problem failure={failure} again={again} />
      <a href="/profile">{t("anotherLink")}</a>
    </>
  );
}

/**
 * What the link of a mail opens: confirms an address, and leads to the post on which the person wanted something. Where
 * nobody must confirm first, it is done by then.
 */
export function ConfirmPage() {
  const mailToken = useMailToken();
  const { route } = useLocation();
  const wanted = useWantedOfLink();
  const { requiresVerified } = useSite();
  const next = requiresVerified ? wanted.next : wanted.post;
  const [outcome, setOutcome] = useState<Outcome>();
  const isSignedIn = token.value !== undefined;
  const confirm = () =>
    confirmed(mailToken)
      .catch((failure: Failure) => ({ failure }))
      .then((now) => {
        setOutcome(now);
        reloadShown();
      });
  useEffect(() => {
    setOutcome(undefined);
    if (isSignedIn) confirm();
  }, [isSignedIn]);
  const { failure, user } = outcome ?? {};
  // The link was used before, by this account.
  const wasUsed = failure?.code === "INVALID_TOKEN" && user?.isVerified === true && user.newEmail === null;
  const isDone = outcome !== undefined && (!failure || wasUsed);
  useEffect(() => {
    if (!isDone || !next) return;
    announce(accountText("confirmed"));
    route(next, true);
  }, [isDone]);
  if (!isSignedIn) return <SignInPage hint={firstText("confirmSignedOut")} />;
  return (
    <section class="narrow">
      <Heading>{t("confirm")}</Heading>
      {!outcome && <Skeleton lines={1} />}
      <p role="status">{isDone && <Confirmed />}</p>
      {failure && !wasUsed && <Failed failure={failure} {...(user && { user })} again={confirm} />}
    </section>
  );
}
