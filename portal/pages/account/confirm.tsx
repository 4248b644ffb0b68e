import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, type Failure, type Schemas } from "../../api.ts";
import { reloadShown } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Action, Heading, Problem, Skeleton } from "../../parts/basics.tsx";
import { signOut, token } from "../../session.ts";
import { mailConfirmation, useCan, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { accountText } from "./account-text.ts";
import { useMailToken } from "./entering.tsx";
import { firstText } from "./first-text.ts";
import { SignInPage } from "./sign-in.tsx";
import { useWantedOfLink } from "./wanted.tsx";

type Outcome = { failure?: Failure; user?: Schemas["Profile"] };

async function readUser(): Promise<Schemas["Profile"]> {
  return (await answer(api.GET("/users/profile"))).user;
}

/** Confirms an address by the token of its mail, and tells whose session it is. */
async function confirmed(mailToken: string): Promise<Outcome> {
  try {
    await answer(api.POST("/auth/email/validate", { body: { token: mailToken } }));
  } catch (error) {
    const failure = error as Failure;
    if (failure.code !== "INVALID_TOKEN" && failure.code !== "OTHER_ACCOUNT") return { failure };
    return { failure, user: await readUser() };
  }
  // It is confirmed, whatever becomes of this.
  return readUser().then(
    (user) => ({ user }),
    () => ({}),
  );
}

/** Says which address is confirmed: nobody knows whether a link without effect was used before, or was cancelled. */
function confirmedText({ failure, user }: Outcome): string {
  const said = user ? firstText("confirmedIs", { email: user.email }) : accountText("confirmed");
  return failure ? `${firstText("linkIsOver")} ${said}` : said;
}

/** The link came to the address of another account. */
function OfAnother({ email, change }: { email: string; change: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>{firstText("linkOfAnother", { email })}</p>
      <Action act={change} label={firstText("otherAccount")} kind="" />
    </div>
  );
}

/** The link confirms nothing, and something still waits for that. */
function NothingConfirmed({ user: { email, newEmail } }: { user: Schemas["Profile"] }) {
  const waits = newEmail ? accountText("addressWaits", { email: newEmail }) : accountText("unconfirmed");
  return (
    <div class="problem" role="alert">
      <p>
        {firstText("linkIsOver")} {waits}
      </p>
      {newEmail ? (
        <a href="/profile">{t("profile")}</a>
      ) : (
        <Action act={() => mailConfirmation(email)} label={t("anotherLink")} kind="" />
      )}
    </div>
  );
}

function Failed({ failure, user, again }: Outcome & { failure: Failure; again: () => void }) {
  if (failure.code === "OTHER_ACCOUNT" && user) return <OfAnother email={user.email} change={signOut} />;
  if (user) return <NothingConfirmed user={user} />;
  return (
    <>
      <Problem failure={failure} again={again} />
      <a href="/profile">{t("profile")}</a>
    </>
  );
}

/** Leads the owner of a new site back to its first steps, of which this was one. */
function Onward() {
  const { firstSteps } = useSite();
  const can = useCan();
  const hasSteps = can("settings:update") && !firstSteps.includes("hidden");
  const [href, label] = hasSteps ? ["/manage", t("manage")] : ["/", t("toPosts")];
  return (
    <a class="button" href={href}>
      {label}
    </a>
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
  // Nothing waits for the link any more.
  const isNeedless = failure?.code === "INVALID_TOKEN" && user?.isVerified === true && user.newEmail === null;
  const isDone = outcome !== undefined && (!failure || isNeedless);
  useEffect(() => {
    if (!isDone || !next) return;
    announce(confirmedText(outcome));
    route(next, true);
  }, [isDone]);
  if (!isSignedIn) return <SignInPage hint={firstText("confirmSignedOut")} />;
  return (
    <section class="narrow">
      <Heading>{isDone ? firstText("isConfirmed") : t("confirm")}</Heading>
      {!outcome && <Skeleton lines={1} />}
      <div role="status">{isDone && <p>{failure ? confirmedText(outcome) : user?.email}</p>}</div>
      {isDone && (
        <p class="actions">
          <Onward />
        </p>
      )}
      {failure && !isNeedless && <Failed failure={failure} {...(user && { user })} again={confirm} />}
    </section>
  );
}
