import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, type Failure, type Schemas } from "../../api.ts";
import { announce } from "../../notices.ts";
import { Heading } from "../../parts/basics.tsx";
import { type Attempt, TEST_RESULT, takeAttempt } from "../../providers.ts";
import { ofTab } from "../../store.ts";
import { t } from "../../text.ts";
import { ownWish } from "./awaited.ts";
import { useFirstFactor } from "./entering.tsx";
import { firstText } from "./first-text.ts";

type Arrival = { attempt: Attempt | undefined; call: Promise<unknown> | undefined };

/** What the provider brought to this load of the page, which may be mounted twice, as when its language changes. */
let arrival: Arrival = { attempt: undefined, call: undefined };

function exchange({ purpose, providerId, issuer, next: _, name: __, ...kept }: Attempt, code: string, iss = issuer) {
  const params = { path: { providerId } };
  const returned = { ...kept, code, iss };
  if (purpose === "sign-in") return answer(api.POST("/auth/oidc/{providerId}", { params, body: returned }));
  if (purpose === "link") return answer(api.POST("/auth/oidc/{providerId}/link", { params, body: returned }));
  return answer(api.POST("/providers/{providerId}/test", { params, body: { returned } }));
}

function arrive({ state, code, iss }: Record<string, string | undefined>): Arrival {
  if (state === undefined) return arrival;
  const attempt = takeAttempt(state);
  arrival = { attempt, call: attempt && code ? exchange(attempt, code, iss) : undefined };
  // So that nobody shares the code by copying the address.
  history.replaceState(null, "", location.pathname);
  return arrival;
}

/** Where a provider leads back to. It carries out what the tab left for, once. */
export function CallbackPage() {
  const { query, route } = useLocation();
  const { signInBy, secondStep } = useFirstFactor();
  const [problem, setProblem] = useState<string>();
  const leave = async ({ purpose, next }: Attempt, call: Promise<unknown>) => {
    if (purpose === "sign-in") return signInBy(call as Promise<{ user: Schemas["User"] }>, () => ownWish(next));
    const result = await call;
    if (purpose === "test") ofTab.set(TEST_RESULT, JSON.stringify(result));
    route(purpose === "test" ? "/manage/providers" : "/profile", true);
    if (purpose === "link") announce(firstText("signInLinked"));
  };
  useEffect(() => {
    let isHere = true;
    const { attempt, call } = arrive(query);
    if (!attempt || !call) {
      setProblem(attempt ? firstText("providerNo") : firstText("signInOver"));
      return;
    }
    const settled = call.then(
      () => undefined,
      () => undefined,
    );
    const fail = (failure: Failure) => setProblem(failure.message);
    void settled.then(() => (isHere ? leave(attempt, call).catch(fail) : undefined));
    return () => {
      isHere = false;
    };
  }, []);
  if (secondStep) return secondStep;
  return (
    <section class="narrow">
      <Heading>{t("signIn")}</Heading>
      <p role={problem ? "alert" : "status"} class={problem ? "problem" : ""}>
        {problem ?? firstText("signingIn")}
      </p>
      {problem && (
        <p>
          <a href="/sign-in">{t("signIn")}</a>
        </p>
      )}
    </section>
  );
}
