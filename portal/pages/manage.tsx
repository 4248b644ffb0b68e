import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { type Api, answer, api, asShown, once, type Schemas } from "../api.ts";
import { change, useRead } from "../data.ts";
import { Action, Avatar, Heading, Pending, Secret, Skeleton } from "../parts/basics.tsx";
import { EditableList } from "../parts/editable-list.tsx";
import { Check, Choice, checkedOf, Field, Form, Select, type Values } from "../parts/form.tsx";
import { NavLink } from "../parts/layout.tsx";
import { announce, attempt, carryOut } from "../parts/notice.tsx";
import { nextOf, Pages } from "../parts/pages.tsx";
import { accountOf } from "../posts.ts";
import { NEUTRAL, NOBODY, useBoards, usePermissions, useRoadmaps, useSite, useStatuses } from "../site.ts";
import { t } from "../text.ts";
import type { Texts } from "../texts/en.ts";
import { Webhooks } from "./webhooks.tsx";

const PARTS = {
  boards: { permission: "board:update", Content: Boards },
  roadmaps: { permission: "roadmap:update", Content: Roadmaps },
  statuses: { permission: "settings:update", Content: Statuses },
  people: { permission: "user:write", Content: People },
  keys: { permission: "key:create", Content: Keys },
  webhooks: { permission: "webhook:read", Content: Webhooks },
  site: { permission: "settings:update", Content: Site },
};

type Name = keyof typeof PARTS;

/** The pages of the team: what the owner or a moderator manages, one part at a time. */
export default function ManagePage() {
  const permissions = usePermissions();
  const { path } = useLocation();
  if (permissions === NOBODY) return <Skeleton />;
  const names = (Object.keys(PARTS) as Name[]).filter((name) => permissions.includes(PARTS[name].permission));
  const chosen = names.find((name) => path === `/manage/${name}`) ?? names[0];
  if (!chosen) return <p class="problem">{t("NOT_ENOUGH_PERMISSION")}</p>;
  const { Content } = PARTS[chosen];
  return (
    <>
      <nav class="parts" aria-label={t("manage")}>
        {names.map((name) => (
          <NavLink key={name} href={`/manage/${name}`} isHere={name === chosen}>
            {t(name)}
          </NavLink>
        ))}
      </nav>
      <Heading>{t(chosen)}</Heading>
      <Content />
    </>
  );
}

/** The fields of a board or a roadmap, from a form. */
function lookOf({ name = "", url = "", color = "", display }: Values) {
  return { name, url, color: color.slice(1), display: display !== undefined };
}

function Boards() {
  const boards = useBoards();
  return (
    <EditableList
      read={boards}
      items={boards.data}
      add={(name, key) => once((header) => api.POST("/boards", { body: { name }, params: { header } }), key)}
      save={async (shown, values) => {
        const { boardId, url } = shown;
        const header = await asShown(shown, api.GET("/boards/{url}", { params: { path: { url } } }));
        await answer(api.PATCH("/boards", { body: { boardId, ...lookOf(values) }, params: { header } }));
      }}
      remove={({ boardId }) => answer(api.DELETE("/boards", { body: { boardId } }))}
    />
  );
}

function Roadmaps() {
  const roadmaps = useRoadmaps();
  return (
    <EditableList
      read={roadmaps}
      items={roadmaps.data}
      add={(name, key) => once((header) => api.POST("/roadmaps", { body: { name }, params: { header } }), key)}
      save={async (shown, values) => {
        const { id, url } = shown;
        const header = await asShown(shown, api.GET("/roadmaps/{url}", { params: { path: { url } } }));
        await answer(api.PATCH("/roadmaps", { body: { id, ...lookOf(values) }, params: { header } }));
      }}
      remove={({ id }) => answer(api.DELETE("/roadmaps", { body: { id } }))}
      move={(item, place) =>
        answer(api.PATCH("/roadmaps/sort", { body: { to: { id: item.id }, from: { id: place.id } } }))
      }
    />
  );
}

const named = (id: keyof Texts) => ({ id, name: t(id) });

const KINDS = ["open", "planned", "started", "completed", "declined"] as const;

type Status = Schemas["ListedStatus"];

/** The statuses are one list: a change sends all of it, on condition that nobody else has changed it. */
function Statuses() {
  const read = useStatuses();
  const { statuses = [], tag = "*" } = read.data ?? {};
  const send = (changed: (Omit<Status, "id" | "archived"> & Partial<Status>)[]) =>
    answer(api.PUT("/statuses", { body: { statuses: changed }, params: { header: { "If-Match": tag } } }));
  return (
    <EditableList
      read={read}
      items={read.data?.statuses}
      add={(name) => send([...statuses, { name, color: "8b8f99", kind: "open" }])}
      save={(item, { name = "", color = "", kind = item.kind, archived }) => {
        const look = { name, color: color.slice(1), kind: kind as Status["kind"], archived: archived !== undefined };
        return send(statuses.map((each) => (each.id === item.id ? { ...each, ...look } : each)));
      }}
      move={(item, place) => {
        const others = statuses.filter(({ id }) => id !== item.id);
        return send(others.toSpliced(statuses.indexOf(place), 0, item));
      }}
      fields={({ id, kind, archived }) =>
        id !== "open" && (
          <>
            <Choice name="kind" label={t("kind")} value={kind} options={KINDS.map(named)} />
            <Check name="archived" label={t("archived")} on={archived} />
          </>
        )
      }
    />
  );
}

async function people(client: Api, after?: string) {
  const query = { first: 20, ...(after && { after }) };
  const { users, page_info } = await answer(client.GET("/users", { params: { query } }));
  return { users, ...nextOf(page_info) };
}

function People() {
  const [found, setFound] = useState<Schemas["ManagedUser"]>();
  return (
    <>
      <Form send={async ({ email = "" }) => setFound(await accountOf(email))} button={t("add")} label={t("people")}>
        <Field name="email" type="email" label={t("email")} hint={t("onBehalfHint")} required />
      </Form>
      <div role="status">
        {found && (
          <ul class="rows">
            <Person key={found.userId} user={found} />
          </ul>
        )}
      </div>
      <Pages
        name="people"
        load={people}
        show={({ users }) => (
          <ul class="rows">
            {users.map((user) => (
              <Person key={user.userId} user={user} />
            ))}
          </ul>
        )}
      />
    </>
  );
}

const ROLES = ["member", "moderator", "suspended"] as const;

function Person({ user }: { user: Schemas["ManagedUser"] }) {
  const { userId, name, email } = user;
  const [role, setRole] = useState(user.role);
  const change = async ({ currentTarget: select }: JSX.TargetedEvent<HTMLSelectElement>) => {
    const params = { path: { userId }, header: { "If-Match": `"${role}"` } };
    const body = { role: select.value as (typeof ROLES)[number] };
    // The old role, unless the service agrees.
    select.value = role;
    setRole((await answer(api.PATCH("/users/{userId}", { params, body }))).user.role);
    announce(t("saved"));
  };
  return (
    <li class="item">
      <Avatar author={user} />
      <span class="wide">
        {name} <span class="quiet-text">{email}</span>
      </span>
      {role === "owner" ? (
        t("owner")
      ) : (
        <Select
          label={t("role", { name })}
          value={role}
          options={ROLES.map(named)}
          onChange={(event) => attempt(change(event))}
        />
      )}
    </li>
  );
}

/** Permissions that no endpoint requires, and the one that no key may have. */
const NO_SCOPE = /^(key|role):|^(post|settings):read$|^(board|roadmap):(un)?assign$/;

function Keys() {
  const { data, ...read } = useRead("keys", async (client) => (await answer(client.GET("/keys"))).keys);
  const scopes = usePermissions().filter((permission) => !NO_SCOPE.test(permission));
  const [secret, setSecret] = useState<string>();
  const add = async ({ name = "", ...chosen }: Values, key: string) => {
    const body = { name, scopes: checkedOf(scopes, chosen) as Schemas["ApiKey"]["scopes"] };
    setSecret((await once((header) => api.POST("/keys", { body: body as never, params: { header } }), key)).secret);
    await read.again();
  };
  const remove = (keyId: string) =>
    carryOut(answer(api.DELETE("/keys/{keyId}", { params: { path: { keyId } } })), read.again, t("deleted"));
  if (!data) return <Pending {...read} />;
  return (
    <>
      {data.length === 0 && <p class="quiet-text">{t("noKeys")}</p>}
      <ul class="rows">
        {data.map(({ keyId, name, lastFour, scopes }) => (
          <li key={keyId} class="item">
            <span class="wide">
              {name} <code>…{lastFour}</code> <span class="quiet-text">{scopes.join(", ")}</span>
            </span>
            <Action act={() => remove(keyId)} label={t("delete")} of={name} ask={t("deleteKey", { name })} />
          </li>
        ))}
      </ul>
      <Secret text={secret} hint={t("secretOnce")} />
      <Form send={add} button={t("add")} label={t("keys")}>
        <Field name="name" label={t("name")} maxLength={60} required />
        <fieldset class="scopes">
          <legend>{t("scopes")}</legend>
          {scopes.map((scope) => (
            <Check key={scope} name={scope} label={scope} />
          ))}
        </fieldset>
      </Form>
    </>
  );
}

function Site() {
  const site = useSite();
  if (site === NEUTRAL) return <Skeleton />;
  const save = async ({ title = "", description = "", logo = "", icon = "", color = "", allowSignup }: Values) => {
    const look = { title, description, logo, icon, accentColor: color.slice(1) };
    const body = { ...look, allowSignup: allowSignup !== undefined };
    const header = await asShown(site, api.GET("/settings/site"));
    const { settings } = await answer(api.PATCH("/settings/site", { body, params: { header } }));
    // The page's security policy names the hosts of its pictures. No cache has a page of this address.
    const isNew = settings.logo !== site.logo || settings.icon !== site.icon;
    if (isNew) return location.replace(`/manage/site?at=${Date.now()}`);
    change((data, key) => (key === "site" ? settings : data));
    announce(t("saved"));
  };
  return (
    <Form send={save} button={t("save")} label={t("site")}>
      <Field name="title" label={t("siteTitle")} value={site.title} maxLength={100} required />
      <Field name="description" label={t("description")} value={site.description ?? ""} maxLength={500} rows={3} />
      <Field name="logo" type="url" label={t("logo")} value={site.logo ?? ""} />
      <Field name="icon" type="url" label={t("icon")} value={site.icon === site.logo ? "" : (site.icon ?? "")} />
      <Field name="color" type="color" label={t("accentColor")} value={`#${site.accentColor}`} />
      <Check name="allowSignup" label={t("allowSignup")} on={site.allowSignup} />
    </Form>
  );
}
