import { useEffect, useRef, useState } from "preact/hooks";
import { encode } from "uqr";
import { answer, api, type Failure, type Schemas, type SecondStep } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { announce } from "../../notices.ts";
import { AccountNav } from "../../parts/account-nav.tsx";
import { Action, Heading, Pending } from "../../parts/basics.tsx";
import { AppCodeField, CodeField } from "../../parts/code-field.tsx";
import { copyText } from "../../parts/copy-link.tsx";
import type { Values } from "../../parts/fields.tsx";
import { focusSoon } from "../../parts/focus.ts";
import { Form } from "../../parts/form.tsx";
import { usePasswordProof } from "../../parts/proof.tsx";
import { signIn } from "../../session.ts";
import { useProfile, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { accountText } from "./account-text.ts";

// The second step of a sign-in, and its switch in the profile. Only pages that show it load this file.

type User = Schemas["User"];

/** White cells around the code: readers need them. */
const QUIET = 4;

function QrCode({ address }: { address: string }) {
  const { data, size } = encode(address, { border: 0 });
  const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  const whole = size + 2 * QUIET;
  return (
    <svg class="qr" viewBox={`-${QUIET} -${QUIET} ${whole} ${whole}`} role="img" aria-label={accountText("qrCode")}>
      <path d={cells.join("")} />
    </svg>
  );
}

type Enrolment = { secret: string; address: string };

/** A new secret for the app. It is asked for once, not with what the page reads: each answer ends the one before. */
function useEnrolment(challenge: string) {
  const [data, setData] = useState<Enrolment>();
  const [failure, setFailure] = useState<Failure>();
  const ask = () => {
    setFailure(undefined);
    answer(api.POST("/auth/two-factor/enrol", { body: { challenge } })).then(setData, setFailure);
  };
  useEffect(ask, [challenge]);
  return { data, again: ask, ...(failure && { failure }) };
}

type EnrolProps = {
  challenge: string;
  /** The session that the first code of the app has opened. */
  opened?: (user: User) => void;
  /** After the person has kept the recovery codes. */
  done: (user: User) => unknown;
};

/** Shows the secret for the app, takes its first code, and shows the recovery codes. */
function Enrol({ challenge, opened, done }: EnrolProps) {
  const { data, ...read } = useEnrolment(challenge);
  const [ended, setEnded] = useState<{ user: User; recoveryCodes?: string[] }>();
  const send = async ({ code = "" }: Values) => {
    const result = await answer(api.POST("/auth/two-factor", { body: { challenge, code } }));
    opened?.(result.user);
    setEnded(result);
  };
  // The person has asked for it, and types the code next.
  useEffect(() => {
    if (data) focusSoon(() => document.querySelector<HTMLElement>("[name=code]"));
  }, [data]);
  if (ended) return <RecoveryCodes codes={ended.recoveryCodes ?? []} kept={() => done(ended.user)} />;
  if (!data) return <Pending {...read} />;
  return (
    <Form send={send} button={accountText("twoFactorOn")} label={accountText("twoFactor")}>
      <p>{accountText("scanCode")}</p>
      <QrCode address={data.address} />
      <p>
        <a href={data.address}>{accountText("openApp")}</a>
      </p>
      <p class="actions">
        <code>{data.secret.match(/.{4}/g)?.join(" ")}</code>
        <Copy text={data.secret} />
      </p>
      <AppCodeField hint={t("appCodeHint")} />
    </Form>
  );
}

function Copy({ text }: { text: string }) {
  const copy = () => copyText(text, accountText("copy"), accountText("copied"));
  return <Action act={copy} label={accountText("copy")} kind="" />;
}

/** What is kept of the codes: a code on each line, below the site that they are for. */
function useCodesAsText(codes: string[]): string {
  const { title } = useSite();
  return [`${title}: ${accountText("recoveryCodes")}`, "", ...codes, ""].join("\n");
}

type CodesProps = { codes: string[]; kept: () => void };

function RecoveryCodes({ codes, kept }: CodesProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => focusSoon(() => heading.current), []);
  const written = codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
  const text = useCodesAsText(written);
  return (
    <div class="panel">
      <h2 ref={heading} tabIndex={-1}>
        {accountText("recoveryCodes")}
      </h2>
      <p>{accountText("recoveryHint")}</p>
      <ul class="codes">
        {written.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p class="actions">
        <Copy text={text} />
        <a
          class="button"
          download="recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        >
          {accountText("download")}
        </a>
        <Action act={kept} label={accountText("codesKept")} kind="primary" />
      </p>
    </div>
  );
}

const codesLeft = define("recovery codes", async (client) =>
  answer(client.GET("/users/profile/recovery-codes")).then(({ left }) => left),
);

/** How many recovery codes are left, and the way to new ones. */
function Renewal() {
  const { data: n, ...read } = useRead(codesLeft());
  const [isAsked, setAsked] = useState(false);
  const [renewed, setRenewed] = useState<string[]>();
  const send = async ({ code = "" }: Values) => {
    const { recoveryCodes } = await answer(api.POST("/users/profile/recovery-codes", { body: { code } }));
    setRenewed(recoveryCodes);
    setAsked(false);
    await read.again();
  };
  if (renewed) return <RecoveryCodes codes={renewed} kept={() => setRenewed(undefined)} />;
  if (n === undefined) return <Pending {...read} lines={1} />;
  return (
    <section class="panel">
      <h2>{accountText("recoveryCodes")}</h2>
      <p>{accountText("codesLeft", { n })}</p>
      {isAsked ? (
        <Form
          send={send}
          button={accountText("renewCodes")}
          label={accountText("recoveryCodes")}
          close={() => setAsked(false)}
        >
          <p class="hint">{accountText("renewHint")}</p>
          <CodeField />
        </Form>
      ) : (
        <Action act={() => setAsked(true)} label={accountText("renewCodes")} kind="" />
      )}
    </section>
  );
}

/** `reason`: why a page has asked the person to sign in. */
type StepProps = { step: SecondStep; reason: string | undefined; done: (user: User) => unknown; again: () => void };

/** The second step of a sign-in: a code, or the set-up of an app where the site requires one. */
export function SecondStepPage({ step: { challenge, isOn }, reason, done, again }: StepProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => focusSoon(() => section.current?.querySelector("input")), []);
  const send = async ({ code = "" }: Values) => {
    await done((await answer(api.POST("/auth/two-factor", { body: { challenge, code } }))).user);
  };
  return (
    <section class="narrow" ref={section}>
      <Heading>{accountText("twoFactor")}</Heading>
      {reason && <p>{reason}</p>}
      {!isOn && <p>{accountText("twoFactorMust")}</p>}
      {!isOn && <Enrol challenge={challenge} done={done} />}
      {isOn && (
        <Form send={send} button={t("signIn")}>
          <CodeField />
        </Form>
      )}
      <p>
        <Action act={again} label={accountText("beginAgain")} />
      </p>
    </section>
  );
}

/** The page that switches the second step of the own account on and off. */
export default function TwoFactorPage() {
  const { data: user, ...read } = useProfile();
  if (!user) return <Pending {...read} />;
  return (
    <>
      <AccountNav />
      <section class="narrow">
        <Heading>{accountText("twoFactor")}</Heading>
        <p class="lead-text">{accountText(user.twoFactor ? "twoFactorIsOn" : "twoFactorHint")}</p>
        <Switch user={user} again={read.again} />
      </section>
    </>
  );
}

type SwitchProps = { user: Schemas["Profile"]; again: () => Promise<void> };

function Switch({ user, again }: SwitchProps) {
  const [challenge, setChallenge] = useState<string>();
  const { proofFields, withProof } = usePasswordProof();
  const begin = async (values: Values) => {
    const begun = await withProof(values, () => answer(api.POST("/users/profile/two-factor")));
    setChallenge(begun.challenge);
  };
  const end = async ({ code = "" }: Values) => {
    await answer(api.DELETE("/users/profile/two-factor", { body: { code } }));
    await again();
    announce(accountText("twoFactorEnded"));
  };
  const kept = async () => {
    setChallenge(undefined);
    await again();
  };
  return (
    <>
      {challenge && <Enrol challenge={challenge} opened={({ authToken }) => signIn(authToken)} done={kept} />}
      {!challenge && !user.twoFactor && (
        <Form send={begin} button={accountText("twoFactorOn")} label={accountText("twoFactor")}>
          {proofFields}
        </Form>
      )}
      {!challenge && user.twoFactor && <Renewal />}
      {!challenge && user.twoFactor && (
        <Form isEnd send={end} button={accountText("twoFactorOff")} label={accountText("twoFactor")}>
          <h2>{accountText("twoFactorOff")}</h2>
          <p>{accountText("twoFactorOffHint")}</p>
          <CodeField />
        </Form>
      )}
    </>
  );
}
