import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api, Failure } from "../../api.ts";
import { reloadShown } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Choice, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { type Language, languageOptions, t } from "../../text.ts";
import { teamText } from "./team-text.ts";

const ID = "invite";

/** Where the form stands that invites, open, for people of the team. */
export const INVITE_TEAM_ADDRESS = `/manage/people?as=moderator#${ID}`;

/** What an invited person can be. */
const ROLES = ["member", "moderator"] as const;

type Choices = { role: (typeof ROLES)[number]; language?: Language };

/** The addresses in a text, each once. */
function addressesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,;、，]+/).filter((address) => address !== ""))];
}

/** Invites people by mail, one after the other. After a failure the next try continues where this one ended. */
export function Invite() {
  const { query } = useLocation();
  const done = useRef(new Map<string, boolean>());
  const panel = useRef<HTMLDetailsElement>(null);
  // The first steps lead here.
  useEffect(() => {
    if (location.hash !== `#${ID}` || !panel.current) return;
    panel.current.open = true;
    panel.current.querySelector("textarea")?.focus();
  }, []);
  const invite = async (email: string, choices: Choices) => {
    const call = answer(api.POST("/users/invitations", { body: { email, ...choices } }));
    const { invited } = await call.catch(({ status, code, message, fields }: Failure) => {
      const reason = fields.email ?? message;
      throw new Failure(status, code, message, { emails: `${email}: ${reason}` });
    });
    done.current.set(email, invited);
  };
  const send = async ({ emails = "", role = "member", language }: Values) => {
    const addresses = addressesIn(emails);
    const choices = { role, language } as Choices;
    for (const email of addresses) if (!done.current.has(email)) await invite(email, choices);
    const mailed = addresses.filter((email) => done.current.get(email));
    const known = addresses.filter((email) => !done.current.get(email));
    done.current.clear();
    reloadShown();
    const sentences = [
      mailed.length > 0 && teamText("invited", { emails: mailed.join(", ") }),
      known.length > 0 && teamText("inviteKnown", { emails: known.join(", ") }),
    ];
    announce(sentences.filter(Boolean).join(" "));
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
