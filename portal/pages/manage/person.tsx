import type { Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { isNoAddress } from "../../../lib/values/no-address.ts";
import { answer, api, type Schemas } from "../../api.ts";
import { change, define, reloadShown } from "../../data.ts";
import { announce } from "../../notices.ts";
import { nextOf } from "../../paging.ts";
import { Action, Avatar, When } from "../../parts/basics.tsx";
import { Select, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { usePasswordProof } from "../../parts/proof.tsx";
import { useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { addressWith } from "./audit-filter.ts";
import { Ending } from "./ending.tsx";
import { personAddress } from "./person-address.ts";
import { State } from "./state.tsx";
import { teamText } from "./team-text.ts";
import { useMenu } from "./use-menu.ts";

type User = Schemas["ListedUser"];

/** The roles that the owner gives. The owner's own is handed over. */
const ROLES = ["member", "moderator", "suspended"] as const;
type Role = (typeof ROLES)[number];

/** The roles that were chosen and not saved yet, by account. */
export type Choices = Record<string, Role | undefined>;

/** What the list is narrowed to; undefined for everybody. */
export type Group = "team" | "suspended" | undefined;

/** Accounts, the newest first, or the ones whose address or name begins with the words. */
export const people = define("people", async (client, words: string, group: Group, after?: string) => {
  const query = { first: 20, ...(words && { q: words }), ...(group && { group }), ...(after && { after }) };
  const { users, page_info } = await answer(client.GET("/users", { params: { query } }));
  return { users: users as User[], ...nextOf(page_info) };
});

/** One account as the list has it; an empty list if it is gone. */
export const account = define("account", async (client, userId: string) => {
  const { users } = await answer(client.GET("/users", { params: { query: { userId } } }));
  return { users: users as User[] };
});

/** Shows an account with its present role wherever a page has it. */
function changePerson({ userId, role }: Schemas["ManagedUser"]): void {
  const withRole = <T extends { users: User[] }>(page: T): T => ({
    ...page,
    users: page.users.map((each) => (each.userId === userId ? { ...each, role } : each)),
  });
  change(people, withRole);
  change(account, withRole);
}

type PersonProps = { user: User; choices: Signal<Choices>; isAlone?: boolean };

/** The row of a person. `isAlone`: on their own page, to which it need not lead. */
export function Person({ user, choices, isAlone = false }: PersonProps) {
  const { userId, name, email, role, invitedAt } = user;
  const chosen = choices.value[userId] ?? (role as Role);
  const choose = (choice?: Role) => {
    choices.value = { ...choices.value, [userId]: choice };
  };
  return (
    <li class="item person">
      <Avatar author={user} />
      <span class="wide">
        <span class="facts">
          <span>
            <bdi>{name}</bdi> {invitedAt && <State kind="busy">{teamText("stateInvited")}</State>}
          </span>{" "}
          <span class="role-word quiet-text">{t(role as Role | "owner")}</span>
        </span>
        <span class="hint facts">
          {isNoAddress(email) ? <span>{teamText("noAddress")}</span> : <Address of={email} />}{" "}
          {invitedAt && <When at={invitedAt} />} {!isAlone && <PostsLink user={user} />}
        </span>
      </span>
      {role === "owner" ? (
        <span class="quiet-text">{t("owner")}</span>
      ) : (
        <>
          <RoleForm user={user} chosen={chosen} choose={choose} />
          <p class="hint" role="status">
            {chosen !== role && wordsOfChoice(role as Role, chosen)}
          </p>
          <Further user={user} />
        </>
      )}
    </li>
  );
}

/** An address: where it is too long for a line, it is parted before the @. */
function Address({ of: email }: { of: string }) {
  const at = email.lastIndexOf("@");
  return (
    <span>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  );
}

/** What a chosen role means before it is saved. */
function wordsOfChoice(role: Role, chosen: Role): string {
  const now = teamText("roleNow", { role: t(role) });
  return chosen === "suspended" ? `${now} · ${teamText("suspendedRead")}` : now;
}

/** Leads to the page of a person, by the number of their posts, if there are any. */
function PostsLink({ user: { userId, name, postsCount } }: { user: User }) {
  const count = t("postsCount", { n: postsCount });
  if (postsCount === 0) return <span>{count}</span>;
  return (
    <span>
      <a href={personAddress(userId)} aria-label={`${count}, ${name}`}>
        {count}
      </a>
    </span>
  );
}

/** What is seldom done with an account, unfolded below its row. */
function Further({ user }: { user: User }) {
  const { userId, name } = user;
  const [isOpen, setOpen] = useState(false);
  const id = `further-${userId}`;
  const button = useMenu(isOpen, setOpen);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="quiet"
        aria-label={teamText("furtherOf", { name })}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      <div id={id} class="further" hidden={!isOpen}>
        {isOpen && <Deeds user={user} />}
      </div>
    </>
  );
}

/** Whether the owner may give the site away to a person: to none who is kept out, or has not come yet. */
function mayBecomeOwner({ role, invitedAt }: User): boolean {
  return role !== "suspended" && !invitedAt;
}

/** What a person needs to become the owner, before the service refuses them; undefined if nothing is missing. */
function whatOwnersNeed({ isVerified }: User, sendsMail: boolean): string | undefined {
  if (!sendsMail) return teamText("ownerNeedsWayIn");
  return isVerified ? undefined : teamText("CANNOT_OWN");
}

function Deeds({ user }: { user: User }) {
  const { userId, name, role } = user;
  const { path, route } = useLocation();
  const { sendsMail } = useSite();
  const params = { path: { userId } };
  const resetTwoFactor = async () => {
    await answer(api.DELETE("/users/{userId}/two-factor", { params }));
    reloadShown();
    announce(teamText("twoFactorReset", { name }));
  };
  const handOver = async () => {
    const condition = { path: { userId }, header: { "If-Match": `"${role}"` } };
    await answer(api.PATCH("/users/{userId}", { params: condition, body: { role: "owner" } }));
    // The page itself is another one for who is no longer the owner.
    reloadShown();
    announce(teamText("roleSaved", { name, role: t("owner") }));
  };
  const remove = async () => {
    await answer(api.DELETE("/users/{userId}", { params, body: {} }));
    // Their own page is gone with them.
    if (path === personAddress(userId)) route("/manage/people");
    reloadShown();
    announce(teamText("personDeleted", { name }));
  };
  return (
    <>
      {role === "moderator" && (
        <p>
          <a href={addressWith({ by: userId })}>{teamText("changesBy", { name })}</a>
        </p>
      )}
      {user.invitedAt && <InviteAgain user={user} />}
      {user.twoFactor && (
        <Ending
          label={teamText("resetTwoFactor")}
          of={user}
          hint={teamText("resetTwoFactorHint")}
          question={teamText("askResetTwoFactor", { name })}
          end={resetTwoFactor}
        />
      )}
      {mayBecomeOwner(user) && (
        <Ending
          label={teamText("handOver")}
          of={user}
          kind=""
          hint={whatOwnersNeed(user, sendsMail)}
          question={teamText("askHandOver", { name })}
          end={handOver}
        />
      )}
      <Ending
        label={teamText("deletePerson")}
        of={user}
        question={teamText("askDeletePerson", { name })}
        end={remove}
      />
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

type RoleProps = { user: User; chosen: Role; choose: (role?: Role) => void };

/** A role is chosen, and saved then: the keyboard passes over roles with more rights on its way to another one. */
function RoleForm({ choose, ...props }: RoleProps) {
  const [timesTakenBack, setTimesTakenBack] = useState(0);
  const takeBack = () => {
    choose();
    setTimesTakenBack(timesTakenBack + 1);
  };
  // Another form has no problem, asks for no password and is not edited: nothing is left of what was taken back.
  return <OneRole key={timesTakenBack} {...props} choose={choose} takeBack={takeBack} isAnew={timesTakenBack > 0} />;
}

/** `isAnew`: it stands in the place of a form that had the keyboard. */
type OneRoleProps = RoleProps & { takeBack: () => void; isAnew: boolean };

function OneRole({ user, chosen, choose, takeBack, isAnew }: OneRoleProps) {
  const { userId, name, role } = user;
  const { proofFields, withProof } = usePasswordProof();
  const isChanged = chosen !== role;
  const field = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isAnew) field.current?.querySelector("select")?.focus();
  }, []);
  // A choice that a search has taken away and brings back is one that leaving the page would lose.
  useEffect(() => {
    if (isChanged) field.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, []);
  const take = (choice: Role) => (choice === role ? takeBack() : choose(choice));
  const save = async (proof: Values) => {
    const params = { path: { userId }, header: { "If-Match": `"${role}"` } };
    const changing = () => answer(api.PATCH("/users/{userId}", { params, body: { role: chosen } }));
    changePerson((await withProof(proof, changing)).user);
    choose();
    announce(
      chosen === "suspended" ? teamText("suspendedSaved", { name }) : teamText("roleSaved", { name, role: t(chosen) }),
    );
  };
  return (
    <Form
      send={save}
      button={t("save")}
      label={teamText("role", { name })}
      keptAs={userId}
      beside={<Action act={takeBack} label={t("cancel")} of={name} />}
    >
      <div ref={field} class="field" data-changed={isChanged}>
        <Select
          name="role"
          label={teamText("role", { name })}
          value={chosen}
          options={ROLES.map((id) => ({ id, name: t(id) }))}
          onInput={(event) => take(event.currentTarget.value as Role)}
        />
      </div>
      {proofFields}
    </Form>
  );
}
