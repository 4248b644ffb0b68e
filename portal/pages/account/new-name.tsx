import { useLocation } from "preact-iso/router";
import { answer, api, type Schemas } from "../../api.ts";
import { reloadShown } from "../../data.ts";
import { attempt } from "../../deeds.ts";
import { buttonOf, carryOutPress, keepWish, type Wish, wishFor } from "../../doors.ts";
import { Action, Heading, Pending } from "../../parts/basics.tsx";
import { Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { claimsOf, token } from "../../session.ts";
import { useProfile } from "../../site.ts";
import { t } from "../../text.ts";
import { accountText } from "./account-text.ts";
import { ownWish } from "./awaited.ts";
import { openSession, useSignIn, useWayOn } from "./entering.tsx";
import { firstText } from "./first-text.ts";
import { SignInPage } from "./sign-in.tsx";

// A mail also signs up. It knows an address and no name: a new account is named after the address until its owner says
// how others should see them.

/** Longer than the service takes from a new account to its session. */
const NEW_MS = 60_000;

/** Whether a sign-in has made the account. Its id begins with the time when it was made (UUID, version 7). */
function isNew({ userId, authToken }: Schemas["User"]): boolean {
  const madeAt = Number.parseInt(userId.replace("-", "").slice(0, 12), 16);
  const { iat = 0 } = claimsOf(authToken);
  return iat * 1000 - madeAt < NEW_MS;
}

/** Votes or follows before the person is led on: they may leave the page between in any way. What is left is kept. */
function carryOutEarly({ intent, ...where }: Wish): void {
  const isPress = intent && "postId" in intent;
  if (isPress) void attempt(carryOutPress(intent));
  keepWish({ ...where, ...(isPress ? { shows: buttonOf(intent) } : { intent }) });
}

/** Asks a new account for its name before it leads on. */
export function useAskName(): (wish: Wish) => void {
  const { route } = useLocation();
  return (wish) => {
    carryOutEarly(wish);
    route(`/sign-in/name?next=${encodeURIComponent(wish.next ?? "/")}`, true);
  };
}

/** Signs in by a mail; a new account is asked for its name. */
export function useSignInByMail(): (user: Schemas["User"], wish?: Wish) => void {
  const { query } = useLocation();
  const enter = useSignIn();
  const askName = useAskName();
  return (user, wish = ownWish(query.next)) => {
    if (!isNew(user)) return enter(user, wish);
    openSession(user.authToken);
    askName(wish);
  };
}

export function NewNamePage() {
  return token.value ? <NameForm /> : <SignInPage />;
}

function NameForm() {
  const { next } = useLocation().query;
  const goOn = useWayOn();
  const { data: user, ...read } = useProfile();
  const send = async ({ name = "" }: Values) => {
    await answer(api.PATCH("/users/profile", { body: { name } }));
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
          <p>{firstText("shownAs", { name: user.name })}</p>
          <Form
            send={send}
            button={t("save")}
            beside={<Action act={() => goOn(wishFor(next))} label={firstText("later")} kind="" />}
          >
            <Field
              name="name"
              label={accountText("yourName")}
              hint={firstText("nameHint")}
              value={user.name}
              autoComplete="name"
              required
            />
          </Form>
        </>
      )}
    </section>
  );
}
