import { useState } from "preact/hooks";
import { answer, api, type Schemas } from "../../api.ts";
import { change, define, reloadShown } from "../../data.ts";
import { announce } from "../../notices.ts";
import { nextOf } from "../../paging.ts";
import { Action, Avatar, Empty, When } from "../../parts/basics.tsx";
import { Field, Select, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { Pages } from "../../parts/pages.tsx";
import { usePasswordProof } from "../../parts/proof.tsx";
import { useLater } from "../../parts/use-later.ts";
import { accountOf } from "../../posts.ts";
import { useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { Invite } from "./invite.tsx";
import { State } from "./state.tsx";
import { teamText } from "./team-text.ts";

type User = Schemas["ManagedUser"];

/** Accounts, the newest first, or the ones whose address or name begins with the words. */
export const people = define("people", async (client, words: string, after?: string) => {
  const query = { first: 20, ...(words && { q: words }), ...(after && { after }) };
  const { users, page_info } = await answer(client.GET("/users", { params: { query } }));
  return { users: users as User[], ...nextOf(page_info) };
});

/** Shows an account with its present role wherever the page has it. */
function changePerson(user: User): void {
  change(people, (page) => ({
    ...page,
    users: page.users.map((each) => (each.userId === user.userId ? { ...each, role: user.role } : each)),
  }));
}

export function People() {
  const [typed, setTyped] = useState("");
  const [words, setWords] = useState("");
  useLater(() => setWords(typed.trim()), [typed]);
  const add = async ({ email = "" }) => {
    const user = await accountOf(email);
    reloadShown();
    setTyped(user.email);
    announce(teamText("personThere", { name: user.name }));
  };
  const { sendsMail } = useSite();
  return (
    <>
      <div class="panels">
        {sendsMail && <Invite />}
        <details class="panel" open={!sendsMail}>
          <summary>{teamText("addWithoutMail")}</summary>
          <Form send={add} button={teamText("add")} label={t("people")}>
            <Field name="email" type="email" label={teamText("addPerson")} hint={t("onBehalfHint")} required />
          </Form>
        </details>
      </div>
      <search class="bar">
        <input
          type="search"
          aria-label={teamText("searchPeople")}
          placeholder={teamText("searchPeople")}
          value={typed}
          maxLength={100}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </search>
      <Pages
        key={words}
        query={(after) => people(words, after)}
        show={({ users }) =>
          users.length === 0 ? (
            <Empty title={teamText("nobodyFound")} hint={teamText("nobodyFoundHint")} />
          ) : (
            <ul class="rows">
              {users.map((user) => (
                <Person key={user.userId} user={user} />
              ))}
            </ul>
          )
        }
      />
    </>
  );
}

const ROLES = ["member", "moderator", "suspended", "owner"] as const;
type Role = (typeof ROLES)[number];

function Person({ user }: { user: User }) {
  const { userId, name, email, role, invitedAt } = user;
  const [choice, setChoice] = useState<Role>();
  const isChanged = choice !== undefined && choice !== role;
  return (
    <li class="item person">
      <Avatar author={user} />
      <span class="wide">
        <bdi>{name}</bdi> {invitedAt && <State kind="busy">{teamText("stateInvited")}</State>}
        {/* Of the same height, whatever stands in it: nothing moves below a finger. */}
        <span class="hint">
          {isChanged ? (
            teamText("roleNow", { role: t(role as Role) })
          ) : (
            <>
              {email}
              {invitedAt && [" · ", <When at={invitedAt} />]}
            </>
          )}
        </span>
      </span>
      {role === "owner" ? (
        <span class="quiet-text">{t(role)}</span>
      ) : (
        <RoleForm key={userId} user={user} choice={choice} choose={setChoice} />
      )}
      {role !== "owner" && <Further key={`${userId} further`} user={user} />}
    </li>
  );
}

/** What is seldom done with an account, unfolded below its row. */
function Further({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false);
  const id = `further-${user.userId}`;
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-label={teamText("furtherOf", { name: user.name })}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      <div id={id} class="further" hidden={!isOpen}>
        {isOpen && user.invitedAt && <InviteAgain user={user} />}
        {isOpen && user.twoFactor && <TwoFactor user={user} />}
        {isOpen && <DeleteForm user={user} />}
      </div>
    </>
  );
}

/** Sends a new link to a person who has not come yet. */
function InviteAgain({ user: { email } }: { user: User }) {
  const invite = async () => {
    await answer(api.POST("/users/invitations", { body: { email } }));
    reloadShown();
    announce(teamText("invited", { emails: email }));
  };
  return (
    <p class="actions">
      <Action act={invite} label={teamText("inviteAgain")} of={email} kind="" />
      <span class="hint">{teamText("inviteAgainHint")}</span>
    </p>
  );
}

/** For a person who has lost the app and the recovery codes. */
function TwoFactor({ user: { userId, name } }: { user: User }) {
  const { proofFields, withProof } = usePasswordProof();
  const reset = async (proof: Values) => {
    if (!confirm(teamText("askResetTwoFactor", { name }))) return;
    const params = { path: { userId } };
    await withProof(proof, () => answer(api.DELETE("/users/{userId}/two-factor", { params })));
    reloadShown();
    announce(teamText("twoFactorReset", { name }));
  };
  return (
    <Form isEnd send={reset} button={teamText("resetTwoFactor")} label={`${teamText("resetTwoFactor")}: ${name}`}>
      <p class="hint">{teamText("resetTwoFactorHint")}</p>
      {proofFields}
    </Form>
  );
}

function DeleteForm({ user: { userId, name } }: { user: User }) {
  const { proofFields, withProof } = usePasswordProof();
  const remove = async (proof: Values) => {
    if (!confirm(teamText("askDeletePerson", { name }))) return;
    const params = { path: { userId } };
    await withProof(proof, () => answer(api.DELETE("/users/{userId}", { params, body: {} })));
    reloadShown();
    announce(teamText("personDeleted", { name }));
  };
  return (
    <Form isEnd send={remove} button={teamText("deletePerson")} label={`${teamText("deletePerson")}: ${name}`}>
      {proofFields}
    </Form>
  );
}

type RoleProps = { user: User; choice: Role | undefined; choose: (role: Role | undefined) => void };

/** A role is chosen, and saved then: the keyboard passes over roles with more rights on its way to another one. */
function RoleForm({ user, choice, choose }: RoleProps) {
  const { userId, name, role } = user;
  const { proofFields, withProof } = usePasswordProof();
  const save = async (proof: Values) => {
    const params = { path: { userId }, header: { "If-Match": `"${role}"` } };
    const body = { role: choice ?? (role as Role) };
    if (body.role === "owner" && !confirm(teamText("askHandOver", { name }))) return;
    const changing = () => answer(api.PATCH("/users/{userId}", { params, body }));
    changePerson((await withProof(proof, changing)).user);
    choose(undefined);
    // The page itself is another one for who is no longer the owner.
    if (body.role === "owner") reloadShown();
    announce(teamText("roleSaved", { name, role: t(body.role) }));
  };
  return (
    <Form send={save} button={t("save")} label={teamText("role", { name })}>
      <div class="field" data-changed={choice !== undefined && choice !== role}>
        <Select
          label={teamText("role", { name })}
          value={choice ?? role}
          options={ROLES.map((id) => ({ id, name: t(id) }))}
          onChange={(event) => choose(event.currentTarget.value as Role)}
        />
      </div>
      {choice === "owner" && <OwnerHint user={user} />}
      {proofFields}
    </Form>
  );
}

/** What a person needs to become the owner, before the service refuses them. */
function OwnerHint({ user: { isVerified } }: { user: User }) {
  const { sendsMail } = useSite();
  if (!sendsMail) return <p class="hint">{teamText("ownerNeedsWayIn")}</p>;
  return isVerified ? null : <p class="problem">{teamText("CANNOT_OWN")}</p>;
}
