import type { Fault } from "../../simulator/faults/faults.ts";
import { drawnFaults, type FaultPlan, replayedFaults } from "../../simulator/faults/plan.ts";
import { NotLinearizable } from "../../simulator/history/register.ts";
import type { Program } from "../../simulator/scheduler/program.ts";
import { Random } from "../../simulator/scheduler/random.ts";
import type { Site } from "../history/site.ts";
import { expectThat, Violation } from "../history/violation.ts";
import { World } from "../world/world.ts";
import { accounts } from "./accounts.ts";
import { audit } from "./audit.ts";
import { comments } from "./comments.ts";
import { exports } from "./exports.ts";
import { figures } from "./figures.ts";
import { heldComments } from "./held-comments.ts";
import { keys } from "./keys.ts";
import { leaving } from "./leaving.ts";
import { lists } from "./lists.ts";
import { merges } from "./merges.ts";
import { moderation } from "./moderation.ts";
import { news } from "./news.ts";
import { places } from "./places.ts";
import { populate } from "./populate.ts";
import { posts } from "./posts.ts";
import { type Profile, profileOf } from "./profiles.ts";
import { providers } from "./providers.ts";
import { checkAtRest } from "./rest.ts";
import { secondFactor } from "./second-factor.ts";
import { settings } from "./settings.ts";
import { signIn } from "./sign-in.ts";
import { sso } from "./sso.ts";
import { tags } from "./tags.ts";
import { type Tally, Turn } from "./turn.ts";
import { votes } from "./votes.ts";
import { webhooks } from "./webhooks.ts";

/** The options of a run. The same options give the same run. */
export type RunOptions = {
  seed: string;
  program: Program;
  operations: number;
  profile?: Profile;
  /** Exactly these faults instead of the profile's. */
  faults?: readonly Fault[];
  turns?: ReadonlySet<string>;
  /** Clients take all actions in turn, in place of a weighted choice. */
  takesEachAction?: boolean;
  keepsTrace?: boolean;
};

export type RunResult = {
  profile: string;
  tally: Tally;
  violation: Error | undefined;
  faults: readonly Fault[];
  turns: readonly string[];
  kills: number;
  milestones: ReadonlyMap<string, number>;
  /** How much virtual time passed, in milliseconds. */
  time: number;
  trace: readonly string[];
};

// The average number of operations of a turn: some are walks along a whole list.
const OPERATIONS_A_TURN = 1.25;

// The number of operations of a short run that may end without an answer, in place of the profile's share.
const FEW = 3;

// How many milliseconds a turn takes.
const ABOUT_A_TURN = 100;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Runs clients in phases. Checks every answer, and the whole table after each phase. */
export async function run(options: RunOptions): Promise<RunResult> {
  const { seed, program, operations, profile = profileOf(seed), keepsTrace = false } = options;
  const random = new Random(`${seed}/run`);
  const faults = pausable(options.faults ? replayedFaults(options.faults) : drawnFaults(profile.weather));
  // At any time of day, often just before midnight.
  const midnight = Date.UTC(2026, random.below(12), 2 + random.below(27));
  const start = midnight - (random.chance(0.5) ? random.between(3000, 20_000) : random.between(0, DAY));
  const world = new World({ seed, program, faults: faults.plan, start, keepsTrace, ...profile.fleet });
  const tally: Tally = { operations: 0, unknown: 0, unknownOf: new Map(), succeeded: new Set() };
  const begun: string[] = [];
  const limited = new Set(profile.fleet.environments.flatMap((each, at) => (each.RATE_LIMITS === "on" ? [at] : [])));
  let site: Site | undefined;

  const turnOf = (id: string): Turn => new Turn(id, site as Site, world, tally, limited);
  const actions = options.takesEachAction ? oneByOne() : weighted(profile);

  const client = async (name: string, turns: number): Promise<void> => {
    for (let number = 0; number < turns; number++) {
      const id = `${name}.${number}`;
      const turn = turnOf(id);
      await world.sleep(turn.random.between(0, profile.rest));
      if (failed) return;
      if (options.turns && !options.turns.has(id)) continue;
      begun.push(id);
      await actions(turn.random)(turn);
    }
  };

  /** At some time of a phase; often at its beginning, when containers fetch their keys. */
  const rotation = async (): Promise<void> => {
    const { random } = world.operation("time of the rotation");
    await world.sleep(random.between(0, random.chance(0.6) ? 80 : 10_000));
    await world.rotateSecret();
  };

  let failed: Error | undefined;
  const life = async (): Promise<void> => {
    faults.isOn = false;
    site = await populate(world, profile, tally);
    const turns = Math.ceil(operations / OPERATIONS_A_TURN / profile.phases / profile.clients);
    for (let phase = 0; phase < profile.phases; phase++) {
      faults.isOn = true;
      const begun = world.scheduler.now;
      const mailed = world.newsLetters.count;
      const digests = world.digestLetters.count;
      const clients = Array.from({ length: profile.clients }, (_, at) => client(`${phase}-${at}`, turns));
      await Promise.all(
        [...clients, ...(profile.rotates ? [rotation()] : [])].map((each) =>
          each.catch((error: unknown) => {
            failed ??= error as Error;
          }),
        ),
      );
      if (failed) throw failed;
      faults.isOn = false;
      world.milestones.count("mails of news", world.newsLetters.count - mailed);
      world.milestones.count("midnights", Math.floor(world.scheduler.now / DAY) - Math.floor(begun / DAY));
      await world.sleep(MINUTE);
      await checkAtRest(turnOf(`rest ${phase}`), limited.size > 0);
      world.milestones.count("digests", world.digestLetters.count - digests);
      await world.skip(pauseOf(random, world.scheduler.now, turns * (profile.rest / 2 + ABOUT_A_TURN)));
    }
    const most = FEW + (profile.mostUnknown ?? 1) * tally.operations;
    expectThat(tally.unknown <= most, `${tally.unknown} of ${tally.operations} operations had no answer`);
  };

  const violation = await world.complete(life()).then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  if (violation && !(violation instanceof Violation || violation instanceof NotLinearizable)) {
    violation.message = `${violation.message} (in the run of seed ${seed})`;
  }
  return {
    profile: profile.name,
    tally,
    violation,
    faults: faults.plan.met,
    turns: begun,
    kills: world.fleet.started - world.fleet.size,
    milestones: world.milestones.counts,
    time: world.scheduler.now - start,
    trace: world.trace.lines,
  };
}

/** The time between two phases: minutes, until a midnight in the next one, or days. */
function pauseOf(random: Random, now: number, phase: number): number {
  const toMidnight = DAY - (now % DAY) - random.between(0, phase);
  const pause = random.oneOf([random.between(0, 20 * MINUTE), toMidnight, toMidnight, random.between(HOUR, 2 * DAY)]);
  return Math.max(0, pause);
}

function pausable(plan: FaultPlan) {
  const self = {
    isOn: true,
    plan: {
      met: plan.met,
      draw: (attempt) => {
        const fault = plan.draw(attempt);
        if (self.isOn || !fault) return fault;
        // The fault did not meet the request after all.
        (plan.met as Fault[]).pop();
        return undefined;
      },
    } as FaultPlan,
  };
  return self;
}

const families = {
  votes,
  posts,
  lists,
  places,
  comments,
  accounts,
  signIn,
  secondFactor,
  leaving,
  exports,
  keys,
  settings,
  news,
  webhooks,
  audit,
  figures,
  providers,
  sso,
  merges,
  moderation,
  heldComments,
  tags,
};

/** Chooses each action in turn, whatever its weight. */
function oneByOne() {
  const all = Object.values(families).flatMap((family) => Object.values(family));
  let at = 0;
  return (): ((turn: Turn) => Promise<void>) => (all[at++ % all.length] as (typeof all)[number]).act;
}

function weighted({ weights }: Profile) {
  const all = Object.entries(families).flatMap(([name, family]) =>
    Object.values(family).map(({ weight, act }) => ({ weight: weight * (weights[name] ?? 1), act })),
  );
  const total = all.reduce((sum, { weight }) => sum + weight, 0);
  return (random: Random): ((turn: Turn) => Promise<void>) => {
    let left = random.next() * total;
    for (const { weight, act } of all) {
      left -= weight;
      if (left < 0) return act;
    }
    return (all.at(-1) as (typeof all)[number]).act;
  };
}
