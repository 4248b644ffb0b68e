import { useLocation } from "preact-iso/router";
import { answer, api, type Schemas } from "../../api.ts";
import { reloadShown } from "../../data.ts";
import { attempt } from "../../deeds.ts";
import { buttonOf, carryOutPress, keepWish, type Wish, wishFor } from "../../doors.ts";
import { takeOverDrafts } from "../../drafts.ts";
import { Action, Heading, Pending, UntilSignedIn } from "../../parts/basics.tsx";
import { Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { claimsOf, keepDoor, token } from "../../session.ts";
import { useProfile } from "../../site.ts";
import { ofBrowser } from "../../store.ts";
import { showNewName, t } from "../../text.ts";
import { accountText } from "./account-text.ts";
import { ownWish } from "./awaited.ts";
import { openSession, useFirstFactor, useSignIn, useWayOn } from "./entering.tsx";
import { firstText } from "./first-text.ts";
import { publish } from "./publish.ts";
import { SignInPage } from "./sign-in.tsx";

// A mail also signs up. It knows an address and no name, and the address is nobody else's business: a new account has a
// neutral name until its owner says how others should see them.

/** Longer than the service takes from a new account to its session. */
const NEW_MS = 60_000;

/** How long a new person waits for what they wanted, who can come back by no other tab until then. */
const PATIENCE_MS = 10_000;

/** Whether a sign-in has made the account. Its id begins with the time when it was made (UUID, version 7). */
function isNew({ userId, authToken }: Schemas["User"]): boolean {
  const madeAt = Number.parseInt(userId.replace("-", "").slice(0, 12), 16);
  const { iat = 0 } = claimsOf(authToken);
  return iat * 1000 - madeAt < NEW_MS;
}

/**
 * Does what the person wanted before they are asked for their name: they may leave that page in any way. Returns what
 * is left. What is published bears the neutral name until they answer, also in a mail that leaves by then.
 */
async function carryOutEarly(wish: Wish): Promise<Wish> {
  const { intent, ...where } = wish;
  if (!intent || "opens" in intent) return wish;
  if ("draft" in intent) return publish(intent, where);
  await attempt(carryOutPress(intent));
  return { ...where, shows: buttonOf(intent) };
}

/** What is left of a wish after a while: without an answer, all of it. */
function leftInTime(wish: Wish): Promise<Wish> {
  const end = new Promise<Wish>((resolve) => setTimeout(() => resolve(wish), PATIENCE_MS));
  return Promise.race([carryOutEarly(wish), end]);
}

/**
 * Signs a new account in, and asks for its name before it leads on. Until what it wanted is done, only this tab has its
 * session: another one that waits for the mail then shows what was done. `door` is as of useSignIn.
 */
export function useEnterNew(door = "/sign-in"): (user: Schemas["User"], wish: Wish) => Promise<void> {
  const { route } = useLocation();
  return async ({ authToken }, wish) => {
    takeOverDrafts(authToken, () => ofBrowser);
    token.value = authToken;
    const left = await leftInTime(wish);
    // The person has signed out meanwhile, or another one in.
    if (token.peek() !== authToken) return;
    openSession(authToken);
    keepDoor(door);
    keepWish(left);
    route(`/sign-in/name?next=${encodeURIComponent(left.next ?? "/")}`, true);
  };
}

/** As useFirstFactor, for a mail: the next time too, and a new account is asked for its name. */
export function useSignInByMail() {
  const { query } = useLocation();
  const enter = useSignIn("/sign-in/mail");
  const enterNew = useEnterNew("/sign-in/mail");
  const { signInBy, secondStep } = useFirstFactor(enter);
  const enterFirst = (user: Schemas["User"], wish = ownWish(query.next)) =>
    (isNew(user) ? enterNew : enter)(user, wish);
  const signInByMail = (call: Promise<{ user: Schemas["User"] }>, wishOf?: (email?: string) => Wish) =>
    signInBy(call, wishOf, enterFirst);
  return { signInBy: signInByMail, secondStep };
}

export function NewNamePage() {
  if (token.value) return <NameForm />;
  return (
    <>
      <UntilSignedIn />
      <SignInPage />
    </>
  );
}

function NameForm() {
  const { next } = useLocation().query;
  const goOn = useWayOn();
  const { data: user, ...read } = useProfile();
  const send = async ({ name = "" }: Values) => {
    const renamed = await answer(api.PATCH("/users/profile", { body: { name } }));
    showNewName(renamed.user);
    goOn(wishFor(next));
    reloadShown();
  };
  return (
    <section class="narrow">
      <Heading>{firstText("howSeen")}</Heading>
      {!user ? (
        <Pending {...read} />
      ) : (
        <>
          <p>{firstText("untilNamed", { name: user.name })}</p>
          <Form
            send={send}
            button={t("save")}
            beside={<Action act={() => goOn(wishFor(next))} label={firstText("later")} kind="" />}
          >
            <Field
              name="name"
              label={accountText("yourName")}
              hint={firstText("nameHint")}
              value={user.isNamed ? user.name : ""}
              autoComplete="name"
              required
            />
          </Form>
        </>
      )}
    </section>
  );
}
