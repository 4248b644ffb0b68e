import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, type Failure, type Schemas } from "../../api.ts";
import { keepWish, type Wish } from "../../doors.ts";
import { announce } from "../../notices.ts";
import { Heading } from "../../parts/basics.tsx";
import { Form } from "../../parts/form.tsx";
import { keepDoor, signOut } from "../../session.ts";
import { useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { withQuery } from "../../with-query.ts";
import { AnotherLink } from "./another-link.tsx";
import { keepTyped, openSession, useFirstFactor, useMailToken, useOfLink, useWayOn } from "./entering.tsx";
import { firstText } from "./first-text.ts";
import { mailedWish, wishKeptFor } from "./kept-for-mail.ts";
import { useEnterNew } from "./new-name.tsx";
import { NewPasswordField } from "./new-password-field.tsx";
import { useWantedOfLink } from "./wanted.tsx";

type Account = Schemas["ResetAccount"];

/**
 * Whose password a link sets, or that the link is over. Only the browser asks: pages of the server are for all. A
 * person can be faster than the answer, so `reading` waits for it.
 */
function useAccountOf(mailToken: string) {
  const [account, setAccount] = useState<Account>();
  const [isOver, setOver] = useState(false);
  const reading = useRef<Promise<Account | undefined>>();
  // Before the form can be sent.
  useLayoutEffect(() => {
    const asking = answer(api.POST("/auth/password/validateToken", { body: { token: mailToken } }));
    reading.current = asking.then(
      ({ reset }) => reset.account,
      (failure: Failure) => {
        setOver(failure.code === "INVALID_TOKEN");
        return undefined;
      },
    );
    void reading.current.then(setAccount);
  }, [mailToken]);
  return { account, isOver, reading };
}

/**
 * What the link of a mail opens: sets a password, signs in by it, and leads to what the person wanted. Who was invited
 * is greeted, and asked for a name: the owner has only named an address.
 */
export function NewPasswordPage() {
  const mailToken = useMailToken();
  const { query, route } = useLocation();
  const isInvited = useOfLink("invited", query.invited) !== undefined;
  const { next } = useWantedOfLink();
  const { account, isOver, reading } = useAccountOf(mailToken);
  const { title } = useSite();
  const goOn = useWayOn();
  const enterNew = useEnterNew();
  /** Whose password the link has set, if that was read. */
  const holder = useRef<Account>();
  const keptWish = (): Wish => wishKeptFor(holder.current?.email, next) ?? { next };
  const takeWish = (): Wish => mailedWish(holder.current?.email, next) ?? { next };
  const welcome = (user: Schemas["User"], wish: Wish) => {
    announce(firstText("invitedIn"));
    return enterNew(user, wish.intent ? wish : { next: holder.current?.role === "moderator" ? "/manage" : "/" });
  };
  const goInAndOn = (user: Schemas["User"], wish = takeWish()) => {
    if (isInvited) return welcome(user, wish);
    openSession(user.authToken);
    keepDoor("/sign-in");
    announce(firstText("passwordSetIn"));
    goOn(wish);
  };
  const leadToSignIn = () => {
    const wish = takeWish();
    keepWish(wish);
    announce(firstText("passwordSet"));
    route(withQuery("/sign-in", { next: wish.next }));
  };
  const { signInBy, secondStep } = useFirstFactor(goInAndOn, leadToSignIn);
  // The link is used up: without an answer the password is typed at the sign-in.
  const enter = (email: string, password: string) => {
    const call = answer(api.POST("/auth/login", { body: { email, password } }));
    return signInBy(call, (ofUser) => (ofUser ? takeWish() : keptWish())).catch(leadToSignIn);
  };
  const send = async ({ password = "" }) => {
    // Afterwards the link names nobody.
    holder.current = await reading.current;
    await answer(api.POST("/auth/password/set", { body: { token: mailToken, password } }));
    signOut();
    if (!holder.current) return leadToSignIn();
    keepTyped(holder.current.email);
    return enter(holder.current.email, password);
  };
  const another = <AnotherLink page="/password-reset" next={next} />;
  if (secondStep) return secondStep;
  return (
    <section class="narrow">
      <Heading>{isInvited ? firstText("invitedTo", { title }) : firstText("newPassword")}</Heading>
      {isInvited && !isOver && <p>{firstText(account?.role === "moderator" ? "invitedToTeam" : "invitedBy")}</p>}
      {/* Always there: the form does not move away under a press. */}
      <p class="quiet-text">
        {account?.email ?? "\u00a0"}
        {isInvited && account && ` · ${t(account.role as "member")}`}
      </p>
      {isOver ? (
        <p class="problem" role="alert">
          {t("INVALID_TOKEN")} {another}
        </p>
      ) : (
        <Form send={send} button={isInvited ? firstText("setAndEnter") : t("save")} beside={!isInvited && another}>
          <NewPasswordField label={firstText("newPassword")} />
        </Form>
      )}
    </section>
  );
}
