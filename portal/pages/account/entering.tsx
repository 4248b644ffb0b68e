import { useEffect, useState } from "preact/hooks";
import lazy from "preact-iso/lazy";
import { useLocation } from "preact-iso/router";
import { Failure, type Schemas, type SecondStep } from "../../api.ts";
import { carryOutWish, dropIntent, type Intent, type Wish, wishFor } from "../../doors.ts";
import { takeOverDrafts } from "../../drafts.ts";
import { loadFile } from "../../load-file.ts";
import { Back } from "../../parts/back.tsx";
import { Heading } from "../../parts/basics.tsx";
import { Field } from "../../parts/fields.tsx";
import { beginAt } from "../../places.ts";
import { keepDoor, signIn } from "../../session.ts";
import { t } from "../../text.ts";
import { ownWish } from "./awaited.ts";

// What the pages of accounts share: the way in, the token of a mail, and two fields.

type Account = { authToken: string; email?: string };

/** Opens the session of an account in this browser. */
export function openSession(authToken: string): void {
  takeOverDrafts(authToken);
  signIn(authToken);
  typedEmail = "";
}

/** Goes where a person wanted to go, and does what they wanted there. */
export function useWayOn(): (wish: Wish) => void {
  const { route } = useLocation();
  return (wish) => {
    route(pathOf(wish.next ?? "/"), true);
    // What was pressed there is done now, and shows itself.
    if (wish.place) beginAt({ ...wish.place, pressed: undefined });
    carryOutWish(wish);
  };
}

/**
 * Signs in, and goes where the person wanted to go: a page of this site, or the one that is open. `door` is the page by
 * which they sign in next time.
 */
export function useSignIn(door = "/sign-in"): (account: Account, wish?: Wish) => void {
  const { query, path } = useLocation();
  const goOn = useWayOn();
  return ({ authToken }, wish = ownWish(query.next)) => {
    openSession(authToken);
    keepDoor(door);
    if (path.startsWith("/sign-")) goOn(wish);
  };
}

/** Loaded by those who have a second factor. */
const SecondStepPage = lazy(async () => (await loadFile(() => import("./two-factor.tsx"))).SecondStepPage);

type User = Schemas["User"];

type EnterBy = (user: User, wish: Wish | undefined) => unknown;

/** What the person wants who signs in; `email` is theirs, once it is known. */
type WishOf = (email?: string) => Wish;

/**
 * Signs in by a call that proves the first factor. `secondStep` is the page that continues if the account needs a
 * second one, and stands in place of this one. `enterBy` lets the person in after the last step, or `enterFirst` who
 * needs no second one: a new account seldom does. `leave` leads to the sign-in from a page that cannot begin once more.
 */
export function useFirstFactor(enterBy?: EnterBy, leave = () => {}) {
  const { next } = useLocation().query;
  const enterHere = useSignIn();
  const enter = enterBy ?? enterHere;
  const [step, setStep] = useState<SecondStep & { wishOf: WishOf | undefined }>();
  const signInBy = async (call: Promise<{ user: User }>, wishOf?: WishOf, enterFirst: EnterBy = enter) => {
    try {
      const { user } = await call;
      await enterFirst(user, wishOf?.(user.email));
    } catch (failure) {
      if (!(failure instanceof Failure) || !failure.twoFactor) throw failure;
      setStep({ ...failure.twoFactor, wishOf });
    }
  };
  const again = () => {
    setStep(undefined);
    leave();
  };
  const { intent } = step?.wishOf?.() ?? wishFor(next);
  const secondStep = step && (
    <SecondStepPage
      step={step}
      reason={intent && reasonToSignIn(intent)}
      done={(user) => enter(user, step.wishOf?.(user.email))}
      again={again}
    />
  );
  return { signInBy, secondStep };
}

/** The path of an address if it is of this site; a path of two slashes would be the name of another one. */
export function pathOf(address: string): string {
  try {
    const { origin, pathname, search } = new URL(address, location.origin);
    const isHere = origin === location.origin && !pathname.startsWith("//");
    return isHere ? pathname + search : "/";
  } catch {
    return "/";
  }
}

type DoorProps = {
  way?: "signIn" | "signUp";
  hint?: string | undefined;
  /** Why a visitor is here whom a page has sent. */
  reasonOf?: (intent: Intent) => string;
  /** What others read, whom no page has sent. */
  gives?: string;
};

function reasonToSignIn({ does, title }: Intent): string {
  return t(`signInTo_${does}`, { title });
}

/** The top of a page that lets people in: the way back, and why they are here if a page has asked them to sign in. */
export function DoorHead({ way = "signIn", hint, reasonOf = reasonToSignIn, gives }: DoorProps) {
  const { next } = useLocation().query;
  const { intent, place } = wishFor(next);
  const reason = intent && reasonOf(intent);
  const words = hint ?? (reason ? undefined : gives);
  return (
    <>
      {next && (
        <Back url={pathOf(next)} place={place} leave={dropIntent}>
          {t("goBack")}
        </Back>
      )}
      <Heading>{t(way)}</Heading>
      {words && <p>{words}</p>}
      {!hint && reason && (
        <p>
          {reason} {"draft" in intent && t("nothingLost")}
        </p>
      )}
    </>
  );
}

/** What the link of a mail says, taken out of the address bar as soon as it is read. A reload keeps it. */
export function useOfLink(name: string, said: string | undefined): string | undefined {
  const [kept] = useState<string | undefined>(() => said ?? globalThis.history?.state?.[name]);
  useEffect(() => history.replaceState({ ...history.state, [name]: kept }, "", location.pathname), []);
  return kept;
}

/** The token of a link in a mail. */
export function useMailToken(): string {
  return useOfLink("token", useLocation().query.token) ?? "";
}

/** What was typed into one of these pages, for the next: the sign-in leads to the sign-up and to a new password. */
let typedEmail = "";

/** Keeps an address for the next of these pages. */
export function keepTyped(email: string): void {
  typedEmail = email;
}

/** `check`: what is wrong with an address. */
type EmailProps = {
  onInput?: () => void;
  hint?: string;
  value?: string;
  check?: (email: string) => string | undefined;
};

export function EmailField({ onInput, value = "", ...more }: EmailProps) {
  const keep = (email: string) => {
    typedEmail = email;
    onInput?.();
  };
  return (
    <Field
      name="email"
      type="email"
      label={t("email")}
      autoComplete="email"
      value={typedEmail || value}
      onType={keep}
      {...more}
      required
    />
  );
}

/** The password of an account. */
export function PasswordField() {
  return <Field name="password" type="password" label={t("password")} autoComplete="current-password" required />;
}
