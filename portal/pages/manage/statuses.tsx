import { useEffect } from "preact/hooks";
import { answer, api, type Schemas } from "../../api.ts";
import { Check, Choice } from "../../parts/fields.tsx";
import { useStatuses } from "../../site.ts";
import { EditableList } from "./editable-list.tsx";
import { keepStep } from "./kept-steps.ts";
import { teamText } from "./team-text.ts";

const KINDS = ["open", "planned", "started", "completed", "declined"] as const;

type Status = Schemas["ListedStatus"];

/** The statuses are one list: a change sends all of it, on condition that nobody else has changed it. */
export function Statuses() {
  const read = useStatuses();
  useEffect(() => keepStep("statuses"), []);
  const { statuses = [], tag = "*" } = read.data ?? {};
  const send = (changed: (Omit<Status, "id" | "archived"> & Partial<Status>)[]) =>
    answer(api.PUT("/statuses", { body: { statuses: changed }, params: { header: { "If-Match": tag } } }));
  return (
    <EditableList
      read={read}
      items={read.data?.statuses}
      newName={teamText("newStatus")}
      longestName={40}
      remove={({ id }) => answer(api.DELETE("/statuses/{statusId}", { params: { path: { statusId: id } } }))}
      asksToRemove={({ name, archived }) => (archived ? teamText("deleteStatus", { name }) : undefined)}
      add={(name) => send([...statuses, { name, color: "8b8f99", kind: "open" }])}
      save={(item, { name = "", color = "", kind = item.kind, archived }) => {
        const look = { name, color: color.slice(1), kind: kind as Status["kind"], archived: archived !== undefined };
        return send(statuses.map((each) => (each.id === item.id ? { ...each, ...look } : each)));
      }}
      move={(item, place) => {
        const others = statuses.filter(({ id }) => id !== item.id);
        const index = statuses.indexOf(place);
        return send([...others.slice(0, index), item, ...others.slice(index)]);
      }}
      fields={({ id, kind, archived }) =>
        id !== "open" && (
          <>
            <Choice
              name="kind"
              label={teamText("kind")}
              value={kind}
              options={KINDS.map((id) => ({ id, name: teamText(id) }))}
            />
            <Check name="archived" label={teamText("archived")} on={archived} />
          </>
        )
      }
    />
  );
}
