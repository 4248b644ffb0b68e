import type { Weather } from "../../simulator/faults/faults.ts";
import { Random } from "../../simulator/scheduler/random.ts";
import { Secrets } from "../../simulator/service/secrets.ts";

export type Profile = {
  name: string;
  clients: number;
  /** After this many parts everything is checked at rest. */
  phases: number;
  /** The longest pause of a client between two turns, in milliseconds. */
  rest: number;
  /** The number of accounts, and of accounts without sessions, whose votes the owner casts on one post. */
  accounts: number;
  crowd: number;
  mostPlaces: number;
  /** The weight of a family of actions, 1 unless named. */
  weights: Record<string, number>;
  weather: Weather;
  /** The share of operations that may end without an answer. */
  mostUnknown?: number;
  /** Whether the team chooses the digest of its queue: each rest then takes an hour. */
  hasDigest?: boolean;
  /** Whether the signing secret is rotated in each phase. */
  rotates?: boolean;
  fleet: { clockErrors: readonly number[]; environments: readonly Record<string, string>[] };
};

// biome-ignore format: a line for the faults of some operations
/** A day at AWS: conflicts, some throttling, sometimes a network fault or a crash. */
const WEATHER: Weather = [
  [/^TransactWriteItems$/, {
    conflict: 4, "reset-after": 1, "lost-answer": 0.5, "in-progress": 1, stall: [0.5, 50, 2000], late: 0.3,
    "kill-after": 0.1, "kill-before": 0.1,
  }],
  [/^Query$/, { "short-page": 5 }],
  [/^BatchGetItem$/, { unprocessed: 5 }],
  [/./, {
    slow: [2, 10, 300], throttle: 1, "500-before": 0.5, "500-after": 0.5, unavailable: 0.3, "cut-answer": 0.3,
    "garbled-answer": 0.2, "reset-before": 0.3, "late-answer": 0.2, "kill-after": 0.02,
  }],
];

// biome-ignore format: a line for the faults of some operations
const STORM: Weather = [
  [/^TransactWriteItems$/, {
    conflict: 15, "reset-after": 5, "lost-answer": 2, "in-progress": 3, stall: [2, 50, 4000], late: 3, "500-after": 2,
    "kill-after": 0.5, "kill-before": 0.3,
  }],
  [/^Query$/, { "short-page": 15 }],
  [/^BatchGetItem$/, { unprocessed: 15 }],
  [/^(UpdateItem|PutItem|DeleteItem)$/, { "reset-after": 3, late: 1, "kill-after": 0.3 }],
  [/./, {
    slow: [4, 10, 600], throttle: 2, "500-before": 1, unavailable: 1, "cut-answer": 1, "stalled-answer": 0.3,
    "garbled-answer": 0.5, refuse: 0.5, lost: 0.3,
  }],
];

// biome-ignore format: a line for the faults of some operations
/** Of a hundred calls five fail, of a hundred transactions fifteen: half of them before the store has done its part. */
const FAILING: Weather = [
  [/^TransactWriteItems$/, {
    "reset-before": 4, "500-before": 3, "reset-after": 3, "500-after": 2, "cut-answer": 1, late: 2,
  }],
  [/^(?!TransactWriteItems)/, { "reset-before": 1.5, "500-before": 1, "reset-after": 1, unavailable: 1, "cut-answer": 0.5 }],
];

const FLEET = { clockErrors: [-3000, 0, 2500, 40], environments: [{}, {}, {}, {}] };

const FETCHED_KEYS = { SIGNING_SECRET: "", SIGNING_SECRET_ARN: Secrets.ARN };

/** What others do less often, to leave time for many lives. */
const LIVES = { lists: 0.2, places: 0.2, tags: 0.2, figures: 0.2, audit: 0.2, providers: 0.2, secondFactor: 0.2 };

const EVERYDAY: Profile = {
  name: "everyday",
  clients: 16,
  phases: 3,
  rest: 120,
  accounts: 12,
  crowd: 0,
  mostPlaces: 7,
  weights: {},
  weather: WEATHER,
  fleet: FLEET,
};

export const profiles: readonly Profile[] = [
  EVERYDAY,
  { ...EVERYDAY, name: "storm", weather: STORM },
  {
    ...EVERYDAY,
    name: "few posts",
    clients: 28,
    rest: 30,
    accounts: 9,
    crowd: 6,
    weights: { votes: 4, places: 0.4 },
    weather: [[/^TransactWriteItems$/, { conflict: 20 }], ...WEATHER],
  },
  { ...EVERYDAY, name: "merges", weather: STORM, weights: { merges: 8, leaving: 4, comments: 2 } },
  // Nothing but people who come and go, and what they leave traces in.
  { ...EVERYDAY, name: "lives", weather: STORM, weights: { ...LIVES, leaving: 200, merges: 10 } },
  { ...EVERYDAY, name: "moderation", weather: STORM, weights: { moderation: 20, heldComments: 20 }, hasDigest: true },
  { ...EVERYDAY, name: "crowd", accounts: 14, crowd: 104, clients: 12, weights: { votes: 3 } },
  {
    ...EVERYDAY,
    name: "large catalogue",
    mostPlaces: 60,
    weights: { places: 4 },
    weather: [...WEATHER, [/./, { refuse: 0.2 }]],
  },
  // A transaction that is sent again under its token gets the lost answer. About 1 in 100 stays open, because a refusal
  // after an unanswered sending is not final. A new token for each sending makes that 4.
  {
    ...EVERYDAY,
    name: "lost answers",
    weather: [[/^TransactWriteItems$/, { "reset-after": 8, "500-after": 3 }]],
    mostUnknown: 0.025,
  },
  { ...EVERYDAY, name: "failing store", weather: FAILING, mostUnknown: 0.003 },
  {
    ...EVERYDAY,
    name: "limits",
    fleet: { ...FLEET, environments: [{}, { RATE_LIMITS: "on" }, {}, { RATE_LIMITS: "on" }] },
    weights: { accounts: 3 },
  },
  {
    ...EVERYDAY,
    name: "rotation",
    rotates: true,
    fleet: { ...FLEET, environments: FLEET.environments.map(() => FETCHED_KEYS) },
    weights: { accounts: 2 },
  },
];

export function profileOf(seed: string): Profile {
  return new Random(`${seed}/profile`).oneOf(profiles);
}
