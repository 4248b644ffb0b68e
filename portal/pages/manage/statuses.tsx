import { useEffect, useState } from "preact/hooks";
import { answer, api, Failure, type Schemas, tagOf } from "../../api.ts";
import { useRead } from "../../data.ts";
import { Check, Choice } from "../../parts/fields.tsx";
import { useStatuses } from "../../site.ts";
import { t } from "../../text.ts";
import { FIRST_COLOR } from "./colors.ts";
import { EditableList } from "./editable-list.tsx";
import { useNotedStep } from "./kept-steps.ts";
import { PostsCount, postsCount } from "./posts-count.tsx";
import { teamText } from "./team-text.ts";

const KINDS = ["open", "planned", "started", "completed", "declined"] as const;

type Status = Schemas["ListedStatus"];

/** The status of new posts. */
const FIRST = "open";

function KindChoice({ kind }: { kind: Status["kind"] }) {
  const options = KINDS.map((id) => ({ id, name: teamText(id) }));
  return <Choice name="kind" label={teamText("kind")} value={kind} options={options} />;
}

/** How many posts have a status, and so why it cannot be deleted. */
function Used({ id }: { id: string }) {
  const { data: n } = useRead(postsCount({ status: [id] }));
  if (n === undefined) return null;
  return <p class="hint">{n === 0 ? t("postsCount", { n }) : <WhyUsed id={id} n={n} />}</p>;
}

function WhyUsed({ id, n }: { id: string; n: number }) {
  return (
    <>
      {teamText("statusUsed", { n })} <a href={`/?status=${id}`}>{teamText("showPosts")}</a>
    </>
  );
}

type Draft = Omit<Status, "id" | "archived"> & Partial<Status>;

/** Replaces the list, on condition that it is still the one with the tag. Returns its new tag. */
async function replace(statuses: Draft[], tag: string): Promise<string> {
  const call = api.PUT("/statuses", { body: { statuses }, params: { header: { "If-Match": tag } } });
  await answer(call);
  return tagOf(call);
}

function changed(statuses: Status[], { id }: Status, fields: Partial<Status>): Draft[] {
  return statuses.map((each) => (each.id === id ? { ...each, ...fields } : each));
}

/** Deletes a status, which must be archived first, so that no post gets it. One that stays is put back as it was. */
async function remove(item: Status, statuses: Status[], tag: string): Promise<void> {
  const { id, name } = item;
  const archivedTag = item.archived ? tag : await replace(changed(statuses, item, { archived: true }), tag);
  const deleting = answer(api.DELETE("/statuses/{statusId}", { params: { path: { statusId: id } } }));
  await deleting.catch(async (failure: Failure) => {
    if (item.archived) throw failure;
    const inTheWay = await replace(statuses, archivedTag).then(
      () => undefined,
      (each: Failure) => each,
    );
    // Only the answer was lost.
    if (inTheWay?.code === "STATUS_NOT_FOUND") return;
    if (!inTheWay) throw failure;
    throw new Failure(failure.status, failure.code, `${failure.message} ${teamText("staysArchived", { name })}`);
  });
}

/** The statuses are one list: a change sends all of it, on condition that nobody else has changed it. */
export function Statuses() {
  const read = useStatuses();
  useEffect(useNotedStep("statuses"), []);
  const { statuses = [], tag = "*" } = read.data ?? {};
  const send = (drafts: Draft[]) => replace(drafts, tag);
  const [used, setUsed] = useState<{ id: string; n: number }>();
  const isSaidOf = (id: string) => used?.id === id && used.n > 0;
  // Nobody is asked about what could not be done then.
  const mayRemove = async ({ id }: Status) => {
    const n = await postsCount({ status: [id] }).load(api);
    setUsed({ id, n });
    return n === 0;
  };
  return (
    <EditableList
      read={read}
      items={read.data?.statuses}
      newName={teamText("newStatus")}
      longestName={40}
      about={({ id, name, kind, archived }) => (
        <span class="facts">
          {name !== teamText(kind) && <span>{teamText("kindIs", { kind: teamText(kind) })}</span>}{" "}
          {archived && <span>{teamText("isArchived")}</span>} <PostsCount of={{ status: [id] }} />
        </span>
      )}
      whyItStays={({ id }) => (id === FIRST ? teamText("statusFirst") : undefined)}
      mayRemove={mayRemove}
      outcome={({ id }) => (
        <p class="outcome" role="status">
          {used && isSaidOf(id) && <WhyUsed {...used} />}
        </p>
      )}
      remove={(item) => remove(item, statuses, tag)}
      newFields={<KindChoice kind="open" />}
      add={({ name = "", kind = "open" }) =>
        send([...statuses, { name, color: FIRST_COLOR, kind: kind as Status["kind"] }])
      }
      save={(item, { name = "", color = "", kind = item.kind, archived }) =>
        send(
          changed(statuses, item, {
            name,
            color: color.slice(1),
            kind: kind as Status["kind"],
            archived: archived !== undefined,
          }),
        )
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
        </>
      )}
      below={({ id }) => {
        if (id === FIRST) return <p class="hint">{teamText("statusFirst")}</p>;
        return !isSaidOf(id) && <Used id={id} />;
      }}
    />
  );
}
