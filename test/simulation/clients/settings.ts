import type * as resource from "../../../lib/http/resources.ts";
import type { Settings } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import { becomes, change, type Family, patched, type Turn } from "./turn.ts";

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

async function replaceStatuses(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const names = Object.fromEntries(
    KINDS.map((kind) => [kind, turn.random.chance(0.5) ? kind : `${kind} ${turn.random.below(100)}`]),
  );
  const statuses = KINDS.map((kind) => ({ id: kind, kind, name: names[kind], color: "123abc", archived: false }));
  const answer = await turn.write([change(turn.site.statuses, becomes(names, "set"))], { 200: "set" }, () =>
    turn.call(session, "statuses-replace", { body: { statuses } }),
  );
  turn.expectStatus(answer, 200);
}

async function listStatuses(turn: Turn): Promise<void> {
  const answer = await turn.call(undefined, "statuses-list", {});
  if (!turn.expectStatus(answer, 200)) return;
  const shown = (answer.body.statuses as resource.ListedStatus[]).map(({ id, name }) => [id, name]);
  const names = JSON.stringify(Object.fromEntries(shown));
  const states = turn.site.statuses.between(answer.from, answer.to);
  const wasSo = states.some((state) => JSON.stringify(state) === names);
  expectThat(wasSo, "statuses-list shows another list", [shown, states]);
}

export const settings: Family = {
  update: { weight: 0.8, act: update },
  read: { weight: 1.2, act: read },
  replaceStatuses: { weight: 0.4, act: replaceStatuses },
  listStatuses: { weight: 0.8, act: listStatuses },
};
