import type { DynamoDBRecord } from "aws-lambda";
import { backgroundFunctions } from "../../../functions/background/index.ts";
import type { BackgroundDefinition, BackgroundFunction } from "../../../lib/background.ts";
import type { Family } from "../../../lib/table/families.ts";
import { EXPIRY_ATTRIBUTE } from "../../../lib/table/table-shape.ts";
import type { FaultPlan } from "../../simulator/faults/plan.ts";
import { Register } from "../../simulator/history/register.ts";
import { TABLE } from "../../simulator/model/database.ts";
import { plainItem } from "../../simulator/model/values.ts";
import type { Operation } from "../../simulator/scheduler/operation.ts";
import type { Program } from "../../simulator/scheduler/program.ts";
import type { Random } from "../../simulator/scheduler/random.ts";
import { Scheduler } from "../../simulator/scheduler/scheduler.ts";
import { Trace } from "../../simulator/scheduler/trace.ts";
import { expiryOf } from "../../simulator/service/expiry.ts";
import { Secrets } from "../../simulator/service/secrets.ts";
import { StoreService } from "../../simulator/service/service.ts";
import { EventSourceMapping, Stream } from "../../simulator/service/stream.ts";
import type { Units } from "../../simulator/service/throughput.ts";
import type { Request } from "../../support/http/invoke.ts";
import { type ClientReply, Fleet, type FleetOptions } from "../fleet/fleet.ts";
import { AuditLog } from "./audit.ts";
import { DigestLetters } from "./digest-letters.ts";
import { EventLog } from "./events.ts";
import { Ledger } from "./ledger.ts";
import { Lives } from "./lives.ts";
import { Milestones } from "./milestones.ts";
import { NewsLetters } from "./news-letters.ts";
import { RankRows } from "./rank-rows.ts";
import { Receivers } from "./receivers.ts";
import { withProvider } from "./sign-in-provider.ts";
import { StoredHistory } from "./stored.ts";

const ENVIRONMENT = {
  AWS_REGION: "eu-west-1",
  AWS_ACCESS_KEY_ID: "id",
  AWS_SECRET_ACCESS_KEY: "secret",
  TABLE_NAME: TABLE,
  SIGNING_SECRET: "a signing secret for simulations, 32 characters or more",
  MAIL_TRANSPORT: "log",
};

type WorldOptions = {
  seed: string | number;
  program: Program;
  faults?: FaultPlan | undefined;
  /** When it begins, in milliseconds since 1970. */
  start?: number;
  keepsTrace?: boolean | undefined;
  /** The maximum of the table; none by default. */
  maxUnits?: Units;
} & Partial<Pick<FleetOptions, "clockErrors" | "environments">>;

/** A table with its stream, the containers of the service, and the callers of its background functions. */
export class World {
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly service: StoreService;
  readonly fleet: Fleet;
  readonly rankRows = new RankRows(() => this.service.database.table);
  readonly events = new EventLog(() => this.service.database.table);
  readonly audit = new AuditLog();
  readonly newsLetters = new NewsLetters(() => this.service.database.table);
  readonly digestLetters = new DigestLetters();
  readonly stored = new StoredHistory();
  readonly ledger = new Ledger(this.stored);
  readonly receivers = new Receivers();
  readonly lives = new Lives();
  readonly milestones = new Milestones();
  readonly letters: Letter[] = [];
  /** The last time when a container failed to get the signing keys. */
  keysFailedAt = Number.NEGATIVE_INFINITY;
  readonly #random: Random;
  #operations = 0;
  #isAsleep = false;

  constructor({ seed, program, faults, start, keepsTrace = false, maxUnits, ...options }: WorldOptions) {
    const { clockErrors = [-3000, 0, 2500], environments = [] } = options;
    const scheduler = new Scheduler({ seed, ...(start !== undefined && { start }) });
    const stream = new Stream(scheduler);
    const expire = expiryOf(scheduler, () => this.service.database, EXPIRY_ATTRIBUTE);
    this.scheduler = scheduler;
    this.trace = new Trace(keepsTrace);
    this.service = new StoreService({
      scheduler,
      maxUnits,
      trace: this.trace,
      ...(faults && { faults }),
      kill: (name) => this.fleet.kill(name),
      onDecision: (changes) => {
        for (const change of changes) this.stored.foresee(change);
      },
      onChange: (change) => {
        this.rankRows.note(change, scheduler.now);
        this.events.note(change, scheduler.now);
        this.newsLetters.note(change, scheduler.now);
        this.digestLetters.note(change, scheduler.now);
        this.stored.note(change, scheduler.now);
        this.ledger.note(change, scheduler.now);
        this.audit.note(change);
        this.lives.note(change);
        this.milestones.note(change);
        stream.add(change);
        expire(change);
      },
    });
    this.fleet = new Fleet({
      scheduler,
      program,
      network: withProvider(
        this.receivers.in(this.audit.in(this.service), scheduler, this.events.committedAt),
        scheduler,
      ),
      environment: ENVIRONMENT,
      environments,
      clockErrors,
      print: (line) => this.#hear(line),
    });
    this.#random = scheduler.random.fork("clients");
    for (const { definition } of backgroundFunctions) this.#run(definition, stream);
    this.#eachMinute(() => this.#anywhere("deliver", ({ deliver }) => deliver({})));
  }

  operation(what: string): Operation {
    const id = `${what} ${++this.#operations}`;
    return { id, random: this.scheduler.random.fork(id), requests: 0 };
  }

  /** Sends a request to one of the containers. */
  readonly call = async (name: string, request: Request = {}): Promise<ClientReply> => {
    const operation = this.operation(name);
    const reply = await this.fleet.request(operation, this.#random.below(this.fleet.size), name, request);
    this.audit.forget(operation.id);
    this.trace.note(this.scheduler.now, name, String(reply.status));
    return reply;
  };

  /** Makes a call until it is answered. Returns the body; throws if the call failed. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly must = async (name: string, request: Request): Promise<any> => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { status, body } = await this.call(name, request);
      if (status < 300) return body;
      // Not every container limits calls.
      if (status < 500 && status !== 429) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`);
    }
    throw new Error(`${name} failed ${MAX_ATTEMPTS} times`);
  };

  /** Rotates the signing secret as Secrets Manager does: step by step, each again until it has succeeded. */
  readonly rotateSecret = async (): Promise<void> => {
    const rotation = { SecretId: Secrets.ARN, ClientRequestToken: this.operation("rotation").random.uuid() };
    for (const Step of ["createSecret", "setSecret", "testSecret", "finishSecret"] as const) {
      const carryOut = () => this.#anywhere("rotate-secret", ({ rotateSecret }) => rotateSecret({ Step, ...rotation }));
      const isDone = () =>
        carryOut().then(
          () => true,
          () => false,
        );
      for (let attempt = 1; !(await isDone()); attempt++) {
        if (attempt === MAX_ATTEMPTS) throw new Error(`${Step} failed ${MAX_ATTEMPTS} times`);
      }
    }
    this.milestones.count("secrets rotated");
  };

  #anywhere<T>(name: string, work: Parameters<typeof this.fleet.work<T>>[2]): Promise<T> {
    return this.fleet.work(this.#random.below(this.fleet.size), this.operation(name), work);
  }

  readonly complete = <T>(work: Promise<T>): Promise<T> => this.scheduler.complete(work);

  readonly sleep = (milliseconds: number): Promise<void> =>
    new Promise((done) => {
      this.scheduler.after(milliseconds, () => {
        this.scheduler.disturb();
        done();
      });
    });

  /** Lets a long time pass without calls, also from EventBridge: these would take most of a run. */
  async skip(milliseconds: number): Promise<void> {
    this.#isAsleep = true;
    await this.sleep(milliseconds);
    this.#isAsleep = false;
  }

  /** Every item of the table, as the document client gives it. */
  items(): Record<string, unknown>[] {
    return [...this.service.database.table.items()].map(plainItem);
  }

  partition(partition: string): string[] {
    return this.service.database.table.sortsOf(partition).map((sort) => `${partition}|${sort}`);
  }

  /** The items that wait for background work, and the events to announce. */
  waiting(): string[] {
    const news = this.items().filter(({ pk, isNews }) => pk === "EVENTS" && isNews);
    return [...QUEUES.flatMap((queue) => this.partition(queue)), ...news.map(({ sk }) => `EVENTS|${sk}`)];
  }

  /** Feeds a background function like infra/stack/background-function.ts: by the stream and each minute. */
  #run({ name, works }: BackgroundDefinition, stream: Stream): void {
    const { scheduler } = this;
    const follows = works.some(({ followUp }) => followUp);
    const takes = ({ eventName, dynamodb }: DynamoDBRecord): boolean =>
      works.some(
        ({ definition: { takes, takesMarked }, followUp }) =>
          [takes, takesMarked].includes(dynamodb?.Keys?.pk?.S as Family) &&
          (eventName === "INSERT" || (followUp !== undefined && eventName === "MODIFY")),
      );
    const invoke = (event: Parameters<BackgroundFunction>[0]) =>
      this.#anywhere(name, ({ backgroundFunctions: all }) => {
        const background = all.find(({ definition }) => definition.name === name) as BackgroundFunction;
        return background(event);
      });
    new EventSourceMapping({
      scheduler,
      stream,
      name,
      filter: takes,
      ...(follows ? { batchSize: 100, window: 1000 } : { batchSize: 10 }),
      retryAttempts: 10,
      repeats: 0.2,
      invoke,
    });
    this.#eachMinute(() => invoke({ time: new Date(scheduler.now).toISOString() }));
  }

  /** EventBridge calls each minute, whatever became of the calls before. */
  #eachMinute(invoke: () => Promise<unknown>): void {
    this.scheduler.after(60_000, () => {
      if (!this.#isAsleep) {
        this.scheduler.disturb();
        void invoke().catch(() => {});
      }
      this.#eachMinute(invoke);
    });
  }

  #hear(line: string): void {
    this.newsLetters.hear(line, this.scheduler.now);
    this.digestLetters.hear(line, this.scheduler.now);
    if (line.includes("the signing keys could not be fetched")) this.keysFailedAt = this.scheduler.now;
    const { to, path, token } = LETTER.exec(line)?.groups ?? {};
    const [, code] = CODE.exec(line) ?? [];
    if (to && token)
      this.letters.push({
        at: this.scheduler.now,
        to,
        token,
        code,
        isTaken: new Register<boolean>(`token of the mail to ${to}`, [false], String),
        purpose: purposeOf(path ?? ""),
      });
  }
}

/** A letter as the transport `log` prints it. */
export type Letter = {
  at: number;
  to: string;
  token: string;
  /** Of a sign-in. */
  code: string | undefined;
  purpose: "reset" | "verify" | "unsubscribe" | "sign-in";
  /** Whether its token was used. */
  isTaken: Register<boolean>;
};

function purposeOf(path: string): Letter["purpose"] {
  if (path.endsWith("unsubscribe")) return "unsubscribe";
  if (path === "sign-in/link") return "sign-in";
  return path === "password-reset/confirm" ? "reset" : "verify";
}

const LETTER = /^mail to (?<to>[^:]+):.*?\/(?<path>[\w/-]+)\?token=(?<token>[\w.-]+)/s;

const CODE = /^ *([A-Z2-9]{8})$/m;

/** Where items wait until background work is done. */
const QUEUES = ["DELETED", "RENAMES", "ERASURES", "EXPORTS", "MERGES", "COUNTING", "OUTBOX", "NEWS", "DUE"];

// More than faults alone can fail in a row.
const MAX_ATTEMPTS = 100;
