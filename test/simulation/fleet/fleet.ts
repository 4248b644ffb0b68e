import type { APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import type { handler as Deliver } from "../../../functions/scheduled/deliver.ts";
import type { handler as RotateSecret } from "../../../functions/scheduled/rotate-secret.ts";
import type { BackgroundFunction } from "../../../lib/background.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import { Container } from "../../simulator/scheduler/container.ts";
import { forOperation, type Operation } from "../../simulator/scheduler/operation.ts";
import type { Program } from "../../simulator/scheduler/program.ts";
import type { Scheduler } from "../../simulator/scheduler/scheduler.ts";
import type { Network } from "../../simulator/scheduler/wire.ts";
import { checkAnswer } from "../../support/http/document.ts";
import { eventOf, type Request } from "../../support/http/invoke.ts";

/** The answer of a call; `body` is the parsed JSON. */
export type ClientReply = { status: number; headers: Record<string, unknown>; body: Record<string, unknown> };

const TIME_LIMIT_MS = 10_000;

/** What the program of the service exports: `service.ts`. */
type Exports = {
  endpointNamed: (name: string) => Promise<Endpoint>;
  backgroundFunctions: readonly BackgroundFunction[];
  deliver: typeof Deliver;
  rotateSecret: typeof RotateSecret;
};

/** A container that serves, with the waiting calls, which fail when it dies. */
type Member = Exports & { container: Container; waiting: Set<() => void> };

export type FleetOptions = {
  scheduler: Scheduler;
  program: Program;
  network: Network;
  environment: Record<string, string>;
  /** The differences in a container's environment, by its place in the fleet. */
  environments?: readonly Record<string, string>[];
  /** By how many milliseconds the clock of each container is ahead: as many containers as there are numbers. */
  clockErrors: readonly number[];
  print?: (line: string) => void;
};

/** The container that worked on a request died before it answered. */
class Died extends Error {
  override readonly name = "Died";
}

/** Containers that run the service, each with a state and a clock of its own. A dead one is replaced immediately. */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #members: Member[];
  started = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#members = options.clockErrors.map((_, at) => this.#start(at));
  }

  get size(): number {
    return this.#members.length;
  }

  #start(at: number): Member {
    const { program, clockErrors, environments = [], environment: common, ...options } = this.#options;
    const clockError = clockErrors[at] ?? 0;
    const environment = { ...common, ...environments[at] };
    const container = new Container({ ...options, name: `c${this.started++}`, clockError, environment });
    return { ...container.start<Exports>(program), container, waiting: new Set() };
  }

  readonly kill = (name: string): void => {
    const at = this.#members.findIndex(({ container }) => container.name === name);
    const member = this.#members[at];
    if (!member) return;
    member.container.kill();
    this.#members[at] = this.#start(at);
    this.#options.scheduler.disturb();
    for (const die of member.waiting) die();
  };

  /** The answer of a container; 502 if it dies first, and then the client cannot know the effect. */
  async request(operation: Operation, at: number, name: string, request: Request = {}): Promise<ClientReply> {
    const { scheduler } = this.#options;
    const answer = await this.work(at, operation, async (member) => {
      const endpoint = await member.endpointNamed(name);
      const event = eventOf(endpoint, request);
      Object.assign(event.requestContext, { requestId: operation.id, timeEpoch: scheduler.now });
      const end = scheduler.now + TIME_LIMIT_MS;
      const context = { awsRequestId: operation.id, getRemainingTimeInMillis: () => end - scheduler.now } as Context;
      const answer = await endpoint(event, context);
      checkAnswer(endpoint.definition, answer.statusCode ?? 0, answer.body ?? "");
      return answer;
    }).catch((error: unknown) => {
      if (error instanceof Died) return { statusCode: 502 };
      throw error;
    });
    const { statusCode: status = 0, headers = {}, body }: APIGatewayProxyStructuredResultV2 = answer;
    return { status, headers, body: body ? JSON.parse(body) : {} };
  }

  /** Lets one of the containers work for an operation. */
  work<T>(at: number, operation: Operation, work: (member: Member) => Promise<T>): Promise<T> {
    const member = this.#members[at] as Member;
    this.#options.scheduler.disturb();
    return new Promise<T>((resolve, reject) => {
      const die = (): void => reject(new Died(`${member.container.name} died`));
      member.waiting.add(die);
      const over = (): unknown => member.waiting.delete(die);
      forOperation(operation, () => work(member))
        .then(resolve, reject)
        .finally(over);
    });
  }
}
