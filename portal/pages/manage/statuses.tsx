import { useEffect } from "preact/hooks";
import { answer, api, type Schemas } from "../../api.ts";
import { define, useRead } from "../../data.ts";
import { Check, Choice } from "../../parts/fields.tsx";
import { useStatuses } from "../../site.ts";
import { t } from "../../text.ts";
import { EditableList } from "./editable-list.tsx";
import { keepStep } from "./kept-steps.ts";
import { teamText } from "./team-text.ts";

const KINDS = ["open", "planned", "started", "completed", "declined"] as const;

type Status = Schemas["ListedStatus"];

/** The status of new posts. */
const FIRST = "open";

/** How many posts have each of these statuses. */
const counts = define("status counts", async (client, ids: string[]): Promise<Record<string, number>> => {
  const countOf = async (id: string) => {
    const page = await answer(client.POST("/posts/get", { body: { first: 1, status: [id] } }));
    return [id, page.total_count ?? 0] as const;
  };
  return Object.fromEntries(await Promise.all(ids.map(countOf)));
});

function KindChoice({ kind }: { kind: Status["kind"] }) {
  const options = KINDS.map((id) => ({ id, name: teamText(id) }));
  return <Choice name="kind" label={teamText("kind")} value={kind} options={options} />;
}

/** Why a status cannot be deleted; nothing for one that can be. */
function Staying({ id, n }: { id: string; n: number | undefined }) {
  if (id === FIRST) return <p class="hint">{teamText("statusFirst")}</p>;
  if (!n) return null;
  return (
    <p class="hint">
      {teamText("statusUsed", { n })} <a href={`/?status=${id}`}>{teamText("showPosts")}</a>
    </p>
  );
}

/** The statuses are one list: a change sends all of it, on condition that nobody else has changed it. */
export function Statuses() {
  const { again, ...read } = useStatuses();
  useEffect(() => keepStep("statuses"), []);
  const { statuses = [], tag = "*" } = read.data ?? {};
  const used = useRead(counts(statuses.map(({ id }) => id).sort()));
  const countOf = (id: string) => used.data?.[id];
  const readAgain = async () => {
    await Promise.all([again(), used.again()]);
  };
  const send = (changed: (Omit<Status, "id" | "archived"> & Partial<Status>)[]) =>
    answer(api.PUT("/statuses", { body: { statuses: changed }, params: { header: { "If-Match": tag } } }));
  const change = (item: Status, fields: Partial<Status>) =>
    send(statuses.map((each) => (each.id === item.id ? { ...each, ...fields } : each)));
  return (
    <EditableList
      read={{ ...read, again: readAgain }}
      items={read.data?.statuses}
      newName={teamText("newStatus")}
      longestName={40}
      about={({ id, kind, archived }) => [
        teamText("kindIs", { kind: teamText(kind) }),
        countOf(id) !== undefined && ` · ${t("postsCount", { n: countOf(id) ?? 0 })}`,
        archived && ` · ${teamText("isArchived")}`,
      ]}
      isRemovable={({ id }) => id !== FIRST && countOf(id) === 0}
      asksToRemove={({ name }) => teamText("deleteStatus", { name })}
      remove={async (item) => {
        // Only an archived one can be deleted: no post gets it any more.
        if (!item.archived) await change(item, { archived: true });
        await answer(api.DELETE("/statuses/{statusId}", { params: { path: { statusId: item.id } } }));
      }}
      newFields={<KindChoice kind="open" />}
      add={({ name = "", kind = "open" }) =>
        send([...statuses, { name, color: "8b8f99", kind: kind as Status["kind"] }])
      }
      save={(item, { name = "", color = "", kind = item.kind, archived }) =>
        change(item, {
          name,
          color: color.slice(1),
          kind: kind as Status["kind"],
          archived: archived !== undefined,
        })
      }
      move={(item, place) => {
        const others = statuses.filter(({ id }) => id !== item.id);
        const index = statuses.indexOf(place);
        return send([...others.slice(0, index), item, ...others.slice(index)]);
      }}
      fields={({ id, kind, archived }) => (
        <>
          {id !== FIRST && <KindChoice kind={kind} />}
          {id !== FIRST && <Check name="archived" label={teamText("archived")} on={archived} />}
          <Staying id={id} n={countOf(id)} />
        </>
      )}
    />
  );
}
