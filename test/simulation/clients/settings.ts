import type * as resource from "../../../lib/http/resources.ts";
import { expectThat } from "../history/violation.ts";
import { becomes, change, type Family, type Turn } from "./turn.ts";

const SET = { 200: "set" };

async function update(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const { site } = turn;
  const isTitle = turn.random.chance(0.5);
  const title = `Site ${turn.id}`;
  const allowSignup = turn.random.chance(0.7);
  const changes = isTitle
    ? [change(site.title, becomes(title, "set"))]
    : [change(site.allowsSignup, becomes(allowSignup, "set"))];
  const answer = await turn.write(changes, SET, () =>
    turn.call(session, "settings-update", { body: isTitle ? { title } : { allowSignup } }),
  );
  turn.expectStatus(answer, 200);
}

async function read(turn: Turn): Promise<void> {
  const answer = await turn.call(undefined, "settings-site", {});
  if (!turn.expectStatus(answer, 200)) return;
  const { title, allowSignup } = answer.body.settings as resource.SiteSettings;
  const { from, to } = answer;
  const titles = turn.site.title.between(from, to);
  expectThat(titles.includes(title), "settings-site shows another title", [title, titles]);
  expectThat(turn.site.allowsSignup.between(from, to).includes(allowSignup), "settings-site is wrong about signup");
  turn.site.title.learn(from, to, (each) => each === title);
  turn.site.allowsSignup.learn(from, to, (each) => each === allowSignup);
}

async function labs(turn: Turn): Promise<void> {
  const [session, voteOnBehalf] = [turn.sessionAs("owner"), turn.random.chance(0.5)];
  if (!session) return;
  const answer = await turn.write([change(turn.site.voteOnBehalf, becomes(voteOnBehalf, "set"))], SET, () =>
    turn.call(session, "settings-update-labs", { body: { voteOnBehalf } }),
  );
  turn.expectStatus(answer, 200);
  const shown = await turn.call(undefined, "settings-labs", {});
  if (!turn.expectStatus(shown, 200)) return;
  const view = shown.body.labs as resource.Labs;
  const isRight = turn.site.voteOnBehalf.between(shown.from, shown.to).includes(view.voteOnBehalf);
  expectThat(isRight, "settings-labs is wrong", view);
}

const KINDS = ["open", "planned", "started", "completed", "declined"];

async function replaceStatuses(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const names = Object.fromEntries(
    KINDS.map((kind) => [kind, turn.random.chance(0.5) ? kind : `${kind} ${turn.random.below(100)}`]),
  );
  const statuses = KINDS.map((kind) => ({ id: kind, kind, name: names[kind], color: "123abc", archived: false }));
  const answer = await turn.write([change(turn.site.statuses, becomes(names, "set"))], SET, () =>
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
  update: { weight: 0.6, act: update },
  read: { weight: 1, act: read },
  labs: { weight: 0.3, act: labs },
  replaceStatuses: { weight: 0.4, act: replaceStatuses },
  listStatuses: { weight: 0.8, act: listStatuses },
};
