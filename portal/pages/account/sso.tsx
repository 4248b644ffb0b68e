import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, Failure, mayWorkLater, type Schemas } from "../../api.ts";
import { Action, Heading, Problem } from "../../parts/basics.tsx";
import { accountIdOf, token } from "../../session.ts";
import { useProfile } from "../../site.ts";
import { ofTab } from "../../store.ts";
import { t } from "../../text.ts";
import { ownWish } from "./awaited.ts";
import { useFirstFactor } from "./entering.tsx";
import { firstText } from "./first-text.ts";
import { LinkForm } from "./link-product.tsx";

// Where a link of the owner's product leads, with a token behind the `#`: no server and no log gets it there.

/** Where the tab keeps the token: a person may have to sign in as before first, and comes back. */
const KEPT = "token of the product";

type User = Schemas["User"];
type Entered = Promise<{ user: User }>;

/** What the service made of a token; the page may be mounted twice, as when its language changes. */
let arrival: { ssoToken: string; call: Entered } | undefined;

/** Sends the token of the address, once; undefined if there is none. */
function arrive(): typeof arrival {
  const inAddress = location.hash.slice(1);
  const ssoToken = inAddress || ofTab.get(KEPT);
  if (inAddress) {
    ofTab.set(KEPT, inAddress);
    // Nobody shares the token with the address.
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  if (!ssoToken || arrival?.ssoToken === ssoToken) return arrival;
  const call: Entered = answer(api.POST("/auth/sso", { body: { token: ssoToken } }));
  arrival = { ssoToken, call };
  return arrival;
}

/** Declines what the link offers: the way back does not sign in by it. */
function forget(): void {
  arrival = undefined;
  ofTab.remove(KEPT);
}

/** Signs in by the token of a link of the product. */
export function SsoPage() {
  const { query } = useLocation();
  const { signInBy, secondStep } = useFirstFactor();
  const [failure, setFailure] = useState<Failure>();
  const [other, setOther] = useState<{ user: User; go: () => void }>();
  /** A browser that is signed in with another account asks first: a stranger may have sent the link. */
  const asked = (result: { user: User }): { user: User } | Entered => {
    const present = accountIdOf(token.value);
    if (present === undefined || present === result.user.userId) return result;
    return new Promise((resolve) => setOther({ user: result.user, go: () => resolve(result) }));
  };
  const enter = async () => {
    const arrived = arrive();
    if (!arrived) throw new Failure(0, "SSO_REFUSED", firstText("signInOver"));
    await signInBy(arrived.call.then(asked), () => ownWish(query.next));
    ofTab.remove(KEPT);
  };
  const begin = () => {
    setFailure(undefined);
    enter().catch((refused: Failure) => {
      if (refused.code === "SSO_REFUSED") ofTab.remove(KEPT);
      setFailure(refused);
    });
  };
  useEffect(begin, []);
  const again = () => {
    arrival = undefined;
    begin();
  };
  if (secondStep) return secondStep;
  return (
    <section class="narrow">
      <Heading>{t("signIn")}</Heading>
      {!failure && !other && <p role="status">{firstText("signingIn")}</p>}
      {other && <AsAnother {...other} />}
      {failure && <NotEntered failure={failure} again={again} />}
    </section>
  );
}

/** The link is for another person than the one who is signed in. */
function AsAnother({ user, go }: { user: User; go: () => void }) {
  const { data: profile } = useProfile();
  return (
    <>
      <p role="status">{firstText("linkOfAnother", { email: profile?.email ?? "" })}</p>
      <p class="actions">
        <Action act={go} label={firstText("continueAs", { name: user.name })} kind="primary" />
        <a class="button" href="/" onClick={forget}>
          {t("toPosts")}
        </a>
      </p>
    </>
  );
}

function NotEntered({ failure, again }: { failure: Failure; again: () => void }) {
  const { url } = useLocation();
  const { code, message } = failure;
  // The service was not reached, or is busy: the token may still be good.
  if (code !== "SSO_REFUSED" && mayWorkLater(failure)) return <Problem failure={failure} again={again} />;
  const hasAccount = code === "SIGN_IN_TO_LINK";
  const kept = ofTab.get(KEPT);
  if (hasAccount && kept && token.value) return <LinkForm ssoToken={kept} done={() => ofTab.remove(KEPT)} />;
  return (
    <>
      <p role="alert" class="problem">
        {hasAccount ? firstText("productHasAccount") : message}
      </p>
      <p>
        <a href={`/sign-in?next=${encodeURIComponent(hasAccount ? url : "/")}`}>{t("signIn")}</a>
      </p>
    </>
  );
}
