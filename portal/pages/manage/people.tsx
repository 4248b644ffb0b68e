import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { answer, api, type Schemas } from "../../api.ts";
import { define } from "../../data.ts";
import { announce, attempt } from "../../notices.ts";
import { nextOf } from "../../paging.ts";
import { Avatar } from "../../parts/basics.tsx";
import { Field, Select } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { Pages } from "../../parts/pages.tsx";
import { accountOf } from "../../posts.ts";
import { t } from "../../text.ts";

const people = define("people", async (client, after?: string) => {
  const query = { first: 20, ...(after && { after }) };
  const { users, page_info } = await answer(client.GET("/users", { params: { query } }));
  return { users, ...nextOf(page_info) };
});

export function People() {
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
        query={people}
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
          options={ROLES.map((id) => ({ id, name: t(id) }))}
          onChange={(event) => attempt(change(event))}
        />
      )}
    </li>
  );
}
