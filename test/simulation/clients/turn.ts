import { endpoints } from "../../../functions/index.ts";
import { isStaff } from "../../../lib/accounts/roles.ts";
import type * as resource from "../../../lib/http/resources.ts";
import type { Effect, Register } from "../../simulator/history/register.ts";
import { hashOf } from "../../simulator/model/table.ts";
import type { Operation } from "../../simulator/scheduler/operation.ts";
import type { Random } from "../../simulator/scheduler/random.ts";
import type { Request } from "../../support/http/invoke.ts";
import type { Account, Caller, Life, Place, Post, Session, Site, Webhook } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import type { World } from "../world/world.ts";

/** A client's answer and its time: the call took effect, if it did, between `from` and `to`. */
export type Answer = {
  endpoint: string;
  session: Caller | undefined;
  from: number;
  to: number;
  /** 0 without an answer, or with one that does not tell whether the call took effect. */
  status: number;
  code: string | undefined;
  body: Record<string, unknown>;
};

/**
 * When NOT_ENOUGH_PERMISSION is right although the role has the permission, when a 401 is, and whether a 429 is right
 * where no limits are: twenty texts of an account wait at most.
 */
type CallOptions = {
  mayForbid?: (answer: Answer) => boolean;
  mayRefuse?: (answer: Answer) => boolean;
  mayBeFull?: boolean;
};

/**
 * The meaning of the answers to a write: the outcome of its effect, by status or code; all other answers mean no
 * effect.
 */
type Outcomes = Record<number | string, string> | ((answer: Answer) => string | undefined);

export function outcomeOf(outcomes: Outcomes, answer: Answer): string | undefined {
  return typeof outcomes === "function" ? outcomes(answer) : (outcomes[answer.code ?? ""] ?? outcomes[answer.status]);
}

/**
 * How many calls there were, and how many had no answer, by the names of their endpoints too; and the endpoints that
 * carried out a call.
 */
export type Tally = { operations: number; unknown: number; unknownOf: Map<string, number>; succeeded: Set<string> };

const definitions = new Map(endpoints.map(({ definition }) => [definition.name, definition]));

const MAX_ATTEMPTS = 20;

// How long a client waits while too many write the same item.
const CROWD_MS = 500;

/**
 * One turn of a client: a few calls that belong together. It has random numbers of its own, and its choices depend on
 * names alone, so that leaving out other turns changes little.
 */
export class Turn {
  readonly id: string;
  readonly random: Random;
  readonly site: Site;
  readonly world: World;
  readonly #tally: Tally;
  readonly #limited: ReadonlySet<number>;
  #calls = 0;
  #picks = 0;

  constructor(id: string, site: Site, world: World, tally: Tally, limited: ReadonlySet<number>) {
    this.id = id;
    this.site = site;
    this.world = world;
    this.random = world.scheduler.random.fork(`turn ${id}`);
    this.#tally = tally;
    this.#limited = limited;
  }

  get now(): number {
    return this.world.scheduler.now;
  }

  /** One of some named things: the one whose name fits this choice best. */
  pick<T extends { readonly name: string }>(
    things: Iterable<T>,
    suits: (thing: T) => boolean = () => true,
  ): T | undefined {
    const choice = `${this.id} ${++this.#picks}`;
    let best: T | undefined;
    let highest = -1;
    for (const thing of things) {
      if (!suits(thing)) continue;
      const rank = hashOf(`${choice} ${thing.name}`);
      if (rank > highest) [best, highest] = [thing, rank];
    }
    return best;
  }

  /** A session of an account that suits; now and then one that has ended. */
  session(suits: (account: Account) => boolean = () => true): Session | undefined {
    const endedToo = this.random.chance(0.02);
    const { now } = this;
    const sessions = this.site.accounts
      .filter(suits)
      .flatMap(({ sessions }) => sessions)
      .filter((each) => endedToo || each.standing(now, now).accepted);
    return this.pick(sessions);
  }

  /** A session, or now and then an API key. */
  caller(suits: (account: Account) => boolean = () => true): Caller | undefined {
    const { now } = this;
    const keys = this.site.accounts.filter(suits).flatMap((account) => account.keys);
    const key = this.random.chance(0.1) && this.pick(keys, (each) => each.standing(now, now).accepted);
    return key || this.session(suits);
  }

  sessionAs(...roles: string[]): Session | undefined {
    return this.session(({ role }) => role.between(this.now, this.now).some((each) => roles.includes(each)));
  }

  async call(
    session: Caller | undefined,
    endpoint: string,
    request: Request,
    options: CallOptions = {},
  ): Promise<Answer> {
    const { fleet, trace } = this.world;
    const id = `${this.id}.${++this.#calls} ${endpoint}`;
    const operation: Operation = { id, random: this.world.scheduler.random.fork(id), requests: 0 };
    const at = this.random.below(fleet.size);
    const from = this.now;
    trace.note(from, id, `begins ${JSON.stringify(request.body ?? request.params ?? request.query ?? {})}`);
    const sent = { ...request, ...(session && { token: session.token }) };
    const reply = await fleet.request(operation, at, endpoint, sent);
    const { body } = reply;
    const isUnknown = reply.status > 500;
    const code = typeof body.code === "string" ? body.code : undefined;
    const answer = { endpoint, session, from, to: this.now, status: isUnknown ? 0 : reply.status, code, body };
    trace.note(this.now, id, `ends ${reply.status} ${code ?? ""}`);
    this.#tally.operations++;
    if (isUnknown) {
      const { unknownOf } = this.#tally;
      this.#tally.unknown++;
      unknownOf.set(endpoint, (unknownOf.get(endpoint) ?? 0) + 1);
    }
    if (reply.status < 300) this.#tally.succeeded.add(endpoint);
    expectThat(reply.status !== 500, `${id} ended in 500`);
    expectThat(reply.status !== 503 || "retry-after" in reply.headers, `${id} ended in a 503 without Retry-After`);
    const mayBeLimited = this.#limited.has(at) || options.mayBeFull === true;
    expectThat(reply.status !== 429 || mayBeLimited, `${id} was limited where no limits are`);
    if (!isUnknown && reply.status !== 429) judgeCaller(answer, options);
    this.world.audit.judge(id, definitions.get(endpoint)?.audit, callingOf(answer));
    return answer;
  }

  /** Sends a request under an Idempotency-Key of its own until it gets an answer or gives up. */
  async persist(session: Caller, endpoint: string, request: Request, options: CallOptions = {}): Promise<Answer> {
    const headers = { ...request.headers, "idempotency-key": `key-of-${this.id}.${this.#calls + 1}` };
    const from = this.now;
    for (let attempt = 1; ; attempt++) {
      const current = attempt === 1 ? session : (this.session((account) => account === session.account) ?? session);
      const answer = await this.call(current, endpoint, { ...request, headers }, options);
      if (answer.status !== 0 || attempt === MAX_ATTEMPTS) {
        // A refusal keeps nothing under the key, so the effect of an earlier attempt stays unknown.
        const isOpen = attempt > 1 && answer.status >= 400;
        return { ...answer, from, ...(isOpen && { status: 0 }) };
      }
    }
  }

  /**
   * Carries out a write: sends it, and reports the outcome to the registers that it changes. If the answer says that
   * the thing is gone, the write may have taken effect just before.
   */
  async write(changes: readonly Change[], outcomes: Outcomes, send: () => Promise<Answer>): Promise<Answer> {
    while (changes.some(({ register }) => register.isCrowded(this.now))) await this.world.sleep(CROWD_MS);
    const begun = changes.map(({ register, effect }) => ({ register, write: register.begin(this.now, effect) }));
    const answer = await send();
    const outcome = outcomeOf(outcomes, answer);
    for (const { register, write } of begun) {
      if (answer.status === 0 || outcome === MAYBE) register.lose(this.now, write);
      else if (outcome === undefined) register.cancel(this.now, write);
      else register.end(this.now, write, outcome);
    }
    return answer;
  }

  /** Throws if an answer is not one of the right ones; returns whether it is a success. */
  expectStatus(answer: Answer, ...right: (number | string)[]): boolean {
    const { status, code, endpoint, body } = answer;
    const always = status === 0 || status === 429 || status === 401 || code === "NOT_ENOUGH_PERMISSION";
    expectThat(always || right.includes(status) || right.includes(code ?? ""), `${endpoint} answered ${status}`, body);
    return status >= 200 && status < 300;
  }
}

/** The answers for the pages of a list, one after the other, up to the first that failed. */
export async function* pages(send: (more: { after?: string }) => Promise<Answer>): AsyncGenerator<Answer> {
  for (let more: { after?: string } | undefined = {}; more; ) {
    const answer: Answer = await send(more);
    yield answer;
    const { votes } = answer.body;
    // Votes are a list within the answer. Of a list of merged posts, `votes` is a word.
    const list = typeof votes === "object" ? votes : answer.body;
    const { page_info: info } = list as { page_info?: resource.PageInfo };
    more = info?.has_next_page && info.end_cursor ? { after: info.end_cursor } : undefined;
  }
}

/** A family of endpoints: the actions of clients on them, each with its weight. */
export type Family = Record<string, { weight: number; act: (turn: Turn) => Promise<void> }>;

export const MAYBE = "maybe";

/** A write of a register that is about to begin, for `Turn.write`. */
export type Change = { register: Register<unknown>; effect: Effect<unknown> };

export function change<S>(register: Register<S>, effect: Effect<S>): Change {
  return { register, effect } as unknown as Change;
}

/** An effect that leaves a state, whatever the state before. */
export function becomes<S>(state: S, outcome: string): Effect<S> {
  return () => [{ state, outcome }];
}

export function patched<S extends object>(patch: Partial<S>): Effect<S> {
  return (state) => [{ state: { ...state, ...patch }, outcome: "changed" }];
}

export const deleted: Effect<Life> = (life) => [{ state: "gone", outcome: life === "live" ? "deleted" : "was gone" }];

/** Throws if an answer shows a thing that is gone, or answers `goneCode` for one that exists. */
export function expectLife(
  { life, name }: Pick<Post | Place | Webhook, "life" | "name">,
  goneCode: string,
  answer: Answer,
): void {
  const { from, to, code, status, endpoint } = answer;
  const lives = life.between(from, to);
  if (code === goneCode) expectThat(lives.includes("gone"), `${endpoint} does not find ${name}, which is there`);
  else if (status >= 200 && status < 300)
    expectThat(lives.includes("live"), `${endpoint} finds ${name}, which is gone`);
}

/** The account that called, and whether it had a role of the team, then or perhaps. */
function callingOf({ session, from, to }: Answer) {
  if (!session) return undefined;
  const { userId, role } = session.account;
  const roles = role.between(from, to).map((each) => isStaff({ role: each }));
  return { userId, mayBeStaff: roles.includes(true), isStaff: !roles.includes(false) };
}

/** 401 and 403 come only if they are true, and no call succeeds without the right to it. */
function judgeCaller(answer: Answer, { mayForbid, mayRefuse }: CallOptions): void {
  const { endpoint, session, from, to, status, code } = answer;
  const definition = definitions.get(endpoint);
  if (definition?.access !== "bearer" && definition?.access !== "bearer unless public reads") return;
  if (!session) return;
  const { accepted, refused } = session.standing(from, to);
  if (status === 401) {
    expectThat(
      refused || (mayRefuse?.(answer) ?? false),
      `${endpoint} refused ${session.name}, which has not ended`,
      code,
    );
    return;
  }
  expectThat(accepted, `${endpoint} accepted ${session.name}, which has ended`, { status, code });
  const { permission } = definition;
  const roles = session.account.role.between(from, to);
  if (code === "NOT_ENOUGH_PERMISSION") {
    const lacks = permission !== undefined && session.mayLack(permission, from, to);
    expectThat(lacks || (mayForbid?.(answer) ?? false), `${endpoint} forbids ${session.name} what it may`, roles);
  } else if (permission !== undefined && status < 300) {
    const has = session.mayHave(permission, from, to);
    expectThat(has, `${endpoint} lets ${session.name} do what it may not`, roles);
  }
}
