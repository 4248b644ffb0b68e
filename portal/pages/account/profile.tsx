import { isNoAddress } from "../../../lib/values/no-address.ts";
import { answer, api, type Schemas } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { carryOut } from "../../deeds.ts";
import { loadFile } from "../../load-file.ts";
import { announce } from "../../notices.ts";
import { AccountNav } from "../../parts/account-nav.tsx";
import { Action, Avatar, Heading, Pending } from "../../parts/basics.tsx";
import { Check, Choice, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useLeaving } from "../../parts/leaving.ts";
import { usePasswordProof } from "../../parts/proof.tsx";
import { useUnsavedGuard } from "../../parts/unsaved.ts";
import { token } from "../../session.ts";
import { mailConfirmation, useCan, useIsSuspended, useProfile, useSite } from "../../site.ts";
import { type Language, languageOptions, showNewName, t } from "../../text.ts";
import { accountText } from "./account-text.ts";
import type { DataFormat } from "./download-data.ts";
import { LinkedSignIns } from "./linked.tsx";
import { useMayHavePassword } from "./own-ways.ts";

const mails = define("mails", async (client) =>
  token.peek() ? (await answer(client.GET("/users/notifications"))).mail : undefined,
);

const OF_TEAM = ["newPosts", "digest"] as const;
const MAILS = ["status", "ownPosts", "comments", "replies"] as const;

/** The choice of mails: about the posts that a person follows, and about the work of the team. */
function Mails() {
  const { data, ...read } = useRead(mails());
  const mayModerate = useCan()("post:moderate");
  const save = (values: Values) => {
    const body = {
      status: "status" in values,
      ownPosts: "ownPosts" in values,
      comments: "comments" in values,
      replies: "replies" in values,
      newPosts: "newPosts" in values,
      digest: "digest" in values,
    };
    return carryOut(answer(api.PUT("/users/notifications", { body })), read.again);
  };
  if (!data) return <Pending {...read} lines={1} />;
  const check = (each: keyof typeof data) => (
    <Check key={each} name={each} label={accountText(`mails_${each}`)} on={data[each]} />
  );
  return (
    <Form send={save} button={t("save")} label={accountText("mails")}>
      <h2>{accountText("mails")}</h2>
      <p>
        <a href="/my/follows">{accountText("toFollows")}</a>
      </p>
      {MAILS.map(check)}
      {mayModerate && (
        <>
          <h3>{accountText("mailsOfTeam")}</h3>
          {OF_TEAM.map(check)}
        </>
      )}
    </Form>
  );
}

type AddressProps = { user: Schemas["Profile"]; again: () => Promise<void> };

/** The way to another address, which counts once the mail to it is confirmed. */
function Address({ user, again }: AddressProps) {
  const ask = async (email: string, said: string) => {
    await answer(api.POST("/users/profile/email", { body: { email } }));
    await again();
    announce(said);
  };
  const { proofFields, withProof } = usePasswordProof();
  const send = async ({ email = "", ...proof }: Values) => {
    await withProof(proof, () => ask(email, t("linkSent", { email })));
  };
  const keep = () => ask(user.email, accountText("addressKept"));
  return (
    <Form send={send} button={accountText("sendLink")} label={accountText("newAddress")}>
      <h2>{accountText("newAddress")}</h2>
      {user.newEmail && (
        <p role="status">
          {accountText("addressWaits", { email: user.newEmail })}{" "}
          <Action act={keep} label={accountText("keepAddress")} />
        </p>
      )}
      <Field
        name="email"
        type="email"
        label={t("email")}
        hint={accountText("newAddressHint")}
        autoComplete="email"
        required
      />
      {proofFields}
    </Form>
  );
}

/** What keeps others out of the account. */
function Security({ user }: { user: Schemas["Profile"] }) {
  const mayHavePassword = useMayHavePassword(user);
  const leave = useLeaving();
  const leaveEverywhere = () => leave(accountText("signedOutByButton"), () => answer(api.POST("/auth/logout")));
  return (
    <section class="panel">
      <h2>{accountText("security")}</h2>
      <ul class="rows">
        <li class="item">
          <a class="wide" href="/profile/two-factor">
            {accountText("twoFactor")}
          </a>
          <span class="quiet-text">{accountText(user.twoFactor ? "isOn" : "isOff")}</span>
        </li>
        {mayHavePassword && (
          <li class="item">
            <a class="wide" href="/profile/password">
              {t("password")}
            </a>
          </li>
        )}
      </ul>
      <p class="actions">
        <Action act={() => leave()} label={t("signOut")} kind="" />
        <Action act={leaveEverywhere} label={accountText("signOutEverywhere")} kind="" />
      </p>
    </section>
  );
}

async function download(format: DataFormat): Promise<void> {
  const { downloadData } = await loadFile(() => import("./download-data.ts"));
  return downloadData(format);
}

/** What the service holds of the person, and the end of it. */
function OwnData() {
  return (
    <section class="panel">
      <h2>{accountText("ownData")}</h2>
      <p class="actions">
        <Action act={() => download("html")} label={accountText("downloadPage")} kind="" />
        <Action act={() => download("jsonl")} label={accountText("downloadLines")} kind="" />
      </p>
    </section>
  );
}

function Leaving() {
  return (
    <section class="panel">
      <h2>{accountText("deleteAccount")}</h2>
      <p class="actions">
        <a class="button end" href="/profile/delete">
          {accountText("deleteAccount")}…
        </a>
      </p>
    </section>
  );
}

export default function ProfilePage() {
  const { data: user, ...read } = useProfile();
  const { sendsMail } = useSite();
  const isSuspended = useIsSuspended();
  useUnsavedGuard();
  if (!user) return <Pending {...read} />;
  const givenName = user.isNamed ? user.name : "";
  const save = ({ name = "", language }: Values) => {
    // An account has few new names in an hour, and as many languages as it likes.
    const named = name === givenName ? {} : { name };
    const body = { ...named, ...(sendsMail && { language: (language ?? null) as Language | null }) };
    const saving = answer(api.PATCH("/users/profile", { body }));
    return carryOut(
      saving.then(({ user }) => showNewName(user)),
      read.again,
    );
  };
  return (
    <>
      <AccountNav />
      <section class="narrow">
        <Heading>{t("profile")}</Heading>
        <p class="by">
          <Avatar author={user} />
          <span class="facts">
            <bdi>{user.name}</bdi>{" "}
            <span class="quiet-text">{isNoAddress(user.email) ? accountText("noAddress") : user.email}</span>
          </span>
        </p>
        {isSuspended && <p class="problem">{t("suspendedHint")}</p>}
        {sendsMail && !user.isVerified && (
          <Form send={() => mailConfirmation(user.email)} button={t("confirm")} label={t("confirm")}>
            <p>{accountText("unconfirmed")}</p>
          </Form>
        )}
        <Form send={save} button={t("save")}>
          <Field
            name="name"
            label={accountText("yourName")}
            value={givenName}
            hint={user.isNamed ? "" : t("shownAs", { name: user.name })}
            autoComplete="name"
            required={user.isNamed}
          />
          {sendsMail && (
            <Choice
              name="language"
              label={accountText("mailLanguage")}
              none={accountText("languageOfSite")}
              options={languageOptions()}
              value={user.language ?? undefined}
            />
          )}
        </Form>
        {sendsMail && <Address user={user} again={read.again} />}
        {sendsMail && <Mails />}
        <LinkedSignIns />
        <Security user={user} />
        <OwnData />
        <Leaving />
      </section>
    </>
  );
}
