import type * as resource from "../../../lib/http/resources.ts";
import { urlFor } from "../../../lib/values/urls.ts";
import type { Effect } from "../../simulator/history/register.ts";
import type { Settings } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { change, type Family, patched, type Turn } from "./turn.ts";

async function update(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const patch: Partial<Settings> = turn.random.oneOf([
    { title: `Site ${turn.id}` },
    { allowSignup: turn.random.chance(0.7) },
    { voteOnBehalf: turn.random.chance(0.5) },
  ]);
  const endpoint = "voteOnBehalf" in patch ? "settings-update-labs" : "settings-update";
  const answer = await turn.write([change(turn.site.settings, patched(patch))], { 200: "changed" }, () =>
    turn.call(session, endpoint, { body: patch }),
  );
  turn.expectStatus(answer, 200);
}

async function read(turn: Turn): Promise<void> {
  const answer = await turn.call(undefined, turn.random.oneOf(["settings-site", "settings-labs"]), {});
  if (!turn.expectStatus(answer, 200)) return;
  const view = (answer.body.settings ?? answer.body.labs) as Partial<Settings>;
  const fits = ({ title, allowSignup, voteOnBehalf }: Settings): boolean =>
    (view.title ?? title) === title &&
    (view.allowSignup ?? allowSignup) === allowSignup &&
    (view.voteOnBehalf ?? voteOnBehalf) === voteOnBehalf;
  const states = turn.site.settings.between(answer.from, answer.to);
  expectThat(states.some(fits), `${answer.endpoint} shows settings as they never were`, [view, states]);
  turn.site.settings.learn(answer.from, answer.to, fits);
}

const KINDS = ["open", "planned", "started", "completed", "declined"];
const MOST_ARCHIVED = 2;

type Names = Record<string, string>;

/** The names of the archived statuses, which stay when the list is replaced. */
function archivedIn(names: Names): Names {
  return Object.fromEntries(Object.entries(names).filter(([id]) => !KINDS.includes(id)));
}

/** Renames the statuses, and now and then adds an archived one. */
async function replaceStatuses(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const known = turn.site.statuses.between(turn.now, turn.now);
  const hasRoom = known.every((state) => Object.keys(archivedIn(state)).length < MOST_ARCHIVED);
  const old = hasRoom && turn.random.chance(0.5) ? `Old ${turn.id}` : undefined;
  const names = Object.fromEntries(
    KINDS.map((kind) => [kind, turn.random.chance(0.5) ? kind : `${kind} ${turn.random.below(100)}`]),
  );
  const color = "123abc";
  const statuses = [
    ...KINDS.map((kind) => ({ id: kind, kind, name: names[kind], color, archived: false })),
    ...(old ? [{ kind: "planned", name: old, color, archived: true }] : []),
  ];
  const added = old ? { [urlFor(old, "status", 0)]: old } : {};
  const set: Effect<Names> = (state) => [{ state: { ...archivedIn(state), ...added, ...names }, outcome: "set" }];
  const answer = await turn.write([change(turn.site.statuses, set)], { 200: "set" }, () =>
    turn.call(session, "statuses-replace", { body: { statuses } }),
  );
  turn.expectStatus(answer, 200);
}

/** Deletes an archived status; one that is in use stays. */
async function deleteStatus(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const ids = turn.site.statuses.between(turn.now, turn.now).flatMap((names) => Object.keys(archivedIn(names)));
  const statusId = ids.length > 0 ? turn.random.oneOf(ids) : "planned";
  const isInUse = KINDS.includes(statusId);
  const removed: Effect<Names> = ({ [statusId]: name, ...others }) => [
    name === undefined ? { state: others, outcome: "was gone" } : { state: others, outcome: "deleted" },
  ];
  const changes = isInUse ? [] : [change(turn.site.statuses, removed)];
  const answer = await turn.write(changes, { 204: "deleted", STATUS_NOT_FOUND: "was gone" }, () =>
    turn.call(session, "statuses-delete", { params: { statusId } }),
  );
  turn.expectStatus(answer, ...(isInUse ? ["STATUS_IN_USE"] : [204, "STATUS_NOT_FOUND"]));
}

/** The names by id, as text in which their order does not count. */
function textOf(names: Names): string {
  return JSON.stringify(Object.entries(names).sort());
}

async function listStatuses(turn: Turn): Promise<void> {
  const answer = await turn.call(undefined, "statuses-list", {});
  if (!turn.expectStatus(answer, 200)) return;
  const shown = (answer.body.statuses as resource.ListedStatus[]).map(({ id, name }) => [id, name]);
  const names = textOf(Object.fromEntries(shown));
  const states = turn.site.statuses.between(answer.from, answer.to);
  const wasSo = states.some((state) => textOf(state) === names);
  expectThat(wasSo, "statuses-list shows another list", [shown, states]);
}

export const settings: Family = {
  update: { weight: 0.8, act: update },
  read: { weight: 1.2, act: read },
  replaceStatuses: { weight: 0.4, act: replaceStatuses },
  deleteStatus: { weight: 0.3, act: deleteStatus },
  listStatuses: { weight: 0.8, act: listStatuses },
};
