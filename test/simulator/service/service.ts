import type { Fault, FaultKind } from "../faults/faults.ts";
import { drawnFaults, type FaultPlan } from "../faults/plan.ts";
import { type Change, Database } from "../model/database.ts";
import { StoreError } from "../model/errors.ts";
import { begin } from "../model/operations/index.ts";
import { calm, type Whims, type Work } from "../model/operations/work.ts";
import { inProgress } from "../model/operations/writes.ts";
import type { Random } from "../scheduler/random.ts";
import type { Scheduler } from "../scheduler/scheduler.ts";
import type { Trace } from "../scheduler/trace.ts";
import type { Connection, Network, WireAnswer, WireRequest } from "../scheduler/wire.ts";
import { failure, garbled, internalError, success, throttling, unavailable } from "./answers.ts";
import { durationOf, NETWORK_MS, pausesOf } from "./latencies.ts";
import { Secrets } from "./secrets.ts";
import { partitionsOf, type Units } from "./throughput.ts";

export type ServiceOptions = {
  scheduler: Scheduler;
  faults?: FaultPlan;
  trace?: Trace;
  kill?: (container: string) => void;
  onChange?: (change: Change) => void;
  onDecision?: (changes: readonly Change[]) => void;
  /** The maximum of the table; none by default. */
  maxUnits?: Units | undefined;
};

type Call = {
  name: string;
  request: WireRequest;
  connection: Connection;
  random: Random;
  operation: string;
  fault: Fault | undefined;
};

/** The store as containers reach it over the network: requests take time, overlap, and meet faults. */
export class StoreService implements Network {
  readonly database: Database;
  /** The secret of the same account, for containers that get their keys from it. */
  readonly secrets: Secrets;
  readonly #scheduler: Scheduler;
  readonly #faults: FaultPlan;
  readonly #trace: Trace | undefined;
  readonly #kill: (container: string) => void;

  constructor(options: ServiceOptions) {
    const { scheduler, faults = drawnFaults([]), trace } = options;
    this.#scheduler = scheduler;
    this.#faults = faults;
    this.#trace = trace;
    this.#kill = options.kill ?? (() => {});
    this.secrets = new Secrets(() => scheduler.now);
    // Made long before the site.
    const at = scheduler.now - 365 * 86_400_000;
    this.secrets.add({ id: "the-first-version", secret: "the first value of the secret ".repeat(2), at });
    const order = scheduler.random.fork("order of items");
    this.database = new Database({
      now: () => scheduler.now,
      charge: partitionsOf(() => scheduler.now, options.maxUnits),
      shuffle: (things) => shuffled(things, order),
      onChange: options.onChange ?? (() => {}),
      onDecision: options.onDecision ?? (() => {}),
    });
  }

  readonly receive = (request: WireRequest, connection: Connection): void => {
    const call = this.#callOf(request, connection);
    const { fault, random } = call;
    this.#note(call, `sent${fault ? ` [${fault.kind}${fault.milliseconds ? ` ${fault.milliseconds} ms` : ""}]` : ""}`);
    if (fault?.kind === "kill-before" || fault?.kind === "kill-after") this.#kill(request.from);
    if (fault?.kind === "kill-before" || fault?.kind === "lost") return;
    const instead = fault && INSTEAD[fault.kind];
    const delay = fault?.kind === "slow" || fault?.kind === "late" ? fault.milliseconds : 0;
    this.#scheduler.after(durationOf(NETWORK_MS, random) + delay, () => {
      if (instead) this.#answer(call, instead());
      else this.#carryOut(call);
    });
  };

  #callOf(request: WireRequest, connection: Connection): Call {
    const { operation: client, from, ordinal } = request;
    const name = `${client?.id ?? from}#${ordinal}`;
    const random = (client?.random ?? this.#scheduler.random).fork(`request ${client ? ordinal : name}`);
    const operation = request.headers["x-amz-target"]?.split(".")[1] ?? "";
    const fault = this.#faults.draw({ request: name, operation, random: random.fork("fault") });
    return { name, request, connection, random, operation, fault };
  }

  /** Lets the database work on a request, one timed step after the other. */
  #carryOut(call: Call): void {
    const input = JSON.parse(call.request.body);
    const subject = subjectOf(call.request.body);
    const pause = pausesOf(call.random);
    const stall = call.fault?.kind === "stall" ? call.fault.milliseconds : 0;
    let work: Work | undefined;
    const step = (): void => {
      try {
        work ??= isForSecrets(call)
          ? this.secrets.begin(call.operation, input)
          : begin(this.database, call.operation, input, whimsOf(call));
        for (;;) {
          const { done, value } = work.next();
          if (done) {
            this.#finish(call, success(value), `${subject} ok`);
            return;
          }
          const duration = pause(value) + (value === "decide" ? stall : 0);
          if (duration > 0) {
            this.#scheduler.after(duration, step);
            return;
          }
        }
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        this.#finish(call, failure(error), `${subject} ${outcomeOf(error)}`);
      }
    };
    step();
  }

  #finish(call: Call, answer: WireAnswer, outcome: string): void {
    this.#note(call, outcome);
    const { fault, random } = call;
    if (fault?.kind === "lost-answer") return;
    const delay = fault?.kind === "late-answer" ? fault.milliseconds : 0;
    const sent = fault?.kind === "500-after" ? internalError() : answer;
    this.#scheduler.after(durationOf(NETWORK_MS, random) + delay, () => this.#answer(call, sent));
  }

  #answer({ connection, fault }: Call, answer: WireAnswer): void {
    const half = Math.floor(Buffer.byteLength(answer.body) / 2);
    switch (fault?.kind) {
      case "refuse":
        connection.fail("ECONNREFUSED");
        break;
      case "reset-before":
      case "reset-after":
        connection.fail("ECONNRESET");
        break;
      case "cut-answer":
        connection.cut(answer, half, "reset");
        break;
      case "stalled-answer":
        connection.cut(answer, half, "silence");
        break;
      case "garbled-answer":
        connection.answer(garbled(answer));
        break;
      default:
        connection.answer(answer);
    }
  }

  #note({ name, request, operation }: Call, what: string): void {
    this.#trace?.note(this.#scheduler.now, request.from, `${name} ${operation} ${what}`);
  }
}

/** The keys and the parts in a request, in a few words for a trace. */
function subjectOf(body: string): string {
  const words = /"(?:pk|sk|:pk|:from|:to)":\{"S":"([^"]*)"|"(Put|Update|Delete|ConditionCheck)":/g;
  return [...body.matchAll(words)].map(([, key, part]) => key ?? `, ${part}`).join(" ");
}

function isForSecrets({ request }: Call): boolean {
  return request.host.startsWith("secretsmanager.");
}

/** Faults that replace the answer of the store; a fault of the connection never shows this answer. */
const INSTEAD: Partial<Record<FaultKind, () => WireAnswer>> = {
  refuse: unavailable,
  "reset-before": unavailable,
  "500-before": internalError,
  unavailable,
  throttle: throttling,
  "in-progress": () => failure(inProgress()),
};

// The affected share of the things that a fault can spoil.
const LEFT_OVER = 0.5;
const PAGE_ENDS = 0.3;
const CONFLICTS = 0.3;

function whimsOf({ fault, random }: Call): Whims {
  if (!fault) return calm;
  const chance = random.fork("whims");
  let isFirst = true;
  return {
    leavesOver: () => fault.kind === "unprocessed" && chance.chance(LEFT_OVER),
    endsPage: () => fault.kind === "short-page" && chance.chance(PAGE_ENDS),
    conflicts: () => {
      if (fault.kind !== "conflict") return false;
      const spoils = isFirst || chance.chance(CONFLICTS);
      isFirst = false;
      return spoils;
    },
  };
}

function outcomeOf({ type, fields }: StoreError): string {
  const reasons = (fields.CancellationReasons ?? []) as { Code: string }[];
  return reasons.length > 0 ? `${type} [${reasons.map(({ Code }) => Code).join(", ")}]` : type;
}

function shuffled<T>(things: readonly T[], random: Random): readonly T[] {
  const order = [...things];
  for (let at = order.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [order[at], order[other]] = [order[other] as T, order[at] as T];
  }
  return order;
}
