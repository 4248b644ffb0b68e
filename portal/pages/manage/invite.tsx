import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, Failure } from "../../api.ts";
import { reloadShown } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Choice, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { type Language, languageOptions, t } from "../../text.ts";
import { addressesIn, problemOfAddresses } from "./invited-addresses.ts";
import { teamText } from "./team-text.ts";

const ID = "invite";

/** Where the form stands that invites, open, for people of the team. */
export const INVITE_TEAM_ADDRESS = `/manage/people?as=moderator#${ID}`;

/** What an invited person can be. */
const ROLES = ["member", "moderator"] as const;

type Choices = { role: (typeof ROLES)[number]; language?: Language };

/** Invites a person, and returns whether a mail was sent. Throws a Failure that names the address. */
async function invite(email: string, choices: Choices): Promise<boolean> {
  const call = answer(api.POST("/users/invitations", { body: { email, ...choices } }));
  const { invited } = await call.catch(({ status, code, message, fields }: Failure) => {
    throw new Failure(status, code, message, { emails: `${email}: ${fields.email ?? message}` });
  });
  return invited;
}

/** Says who was invited, and who has an account already. */
function announceDone(done: ReadonlyMap<string, boolean>): void {
  const mailed = [...done.keys()].filter((email) => done.get(email));
  const known = [...done.keys()].filter((email) => !done.get(email));
  const sentences = [
    mailed.length > 0 && teamText("invited", { emails: mailed.join(", ") }),
    known.length > 0 && teamText("inviteKnown", { emails: known.join(", ") }),
  ];
  announce(sentences.filter(Boolean).join(" "));
}

/** Invites people by mail, one after the other. After a failure the field has only those who are left. */
export function Invite() {
  const { query } = useLocation();
  const panel = useRef<HTMLDetailsElement>(null);
  // The first steps lead here.
  useEffect(() => {
    if (location.hash !== `#${ID}` || !panel.current) return;
    panel.current.open = true;
    panel.current.querySelector("textarea")?.focus();
  }, []);
  /** Leaves in the field whom the next press invites, as is chosen then. */
  const keepOnly = (addresses: string[]) => {
    const field = panel.current?.querySelector("textarea");
    if (!field) return;
    field.value = addresses.join("\n");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const send = async ({ emails = "", role = "member", language }: Values) => {
    const addresses = addressesIn(emails);
    const done = new Map<string, boolean>();
    try {
      for (const email of addresses) done.set(email, await invite(email, { role, language } as Choices));
    } finally {
      if (done.size > 0) {
        keepOnly(addresses.filter((email) => !done.has(email)));
        reloadShown();
        announceDone(done);
      }
    }
  };
  return (
    <details ref={panel} class="panel" id={ID}>
      <summary>{teamText("invite")}</summary>
      <Form send={send} button={teamText("invite")} label={teamText("invite")}>
        <Field
          name="emails"
          label={teamText("inviteEmails")}
          hint={teamText("inviteHint")}
          rows={3}
          dir="ltr"
          check={problemOfAddresses}
          required
        />
        <Choice
          name="role"
          label={teamText("inviteAs")}
          value={ROLES.find((role) => role === query.as) ?? "member"}
          options={ROLES.map((id) => ({ id, name: t(id) }))}
        />
        <p class="hint">{teamText("inviteAsHint")}</p>
        <Choice
          name="language"
          label={teamText("inviteIn")}
          none={teamText("languageOfSite")}
          options={languageOptions()}
        />
      </Form>
    </details>
  );
}
