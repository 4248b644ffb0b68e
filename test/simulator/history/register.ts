/** The effect of a write on a state: each possible new state, with the outcome that its sender gets. */
export type Effect<S> = (state: S) => readonly { state: S; outcome: string }[];

/** A write that has begun and whose place in history is open. */
export type Write = { readonly number: number };

type OpenWrite<S> = Write & { effect: Effect<S>; closesAt: number };

/** One possible history: the state, and the open writes that took effect, with their outcomes. */
type Course<S> = { state: S; done: ReadonlyMap<number, string> };

/** From a moment on, and until the next such entry, these states were possible. */
type Entry<S> = { at: number; states: readonly S[] };

/** No serial order of the writes explains an outcome. */
export class NotLinearizable extends Error {
  override readonly name = "NotLinearizable";
}

// A write without an answer is over by then: a request reaches the store up to 3.5 s after it was sent, and its
// transaction may pause for up to 5 s.
const LATEST_MS = 12_000;

// Longer than any operation of a client: reads do not ask about earlier states.
const REMEMBERED_MS = 120_000;

// With more open writes there are too many histories to follow.
const CROWDED = 5;
const MANY_COURSES = 50;
const MOST_COURSES = 20_000;

/**
 * A thing that many clients read and write in parallel: all states that the answers to its writers allow. Each write
 * takes effect at one moment between its begin and its end; one without an answer at one moment or never. A write whose
 * outcome fits none of these ways breaks linearizability (the search of Wing and Gong, made as answers arrive).
 */
export class Register<S> {
  readonly name: string;
  readonly #keyOf: (state: S) => string;
  #courses: Course<S>[];
  #open: OpenWrite<S>[] = [];
  #entries: Entry<S>[];
  #numbers = 0;
  #truth: ((from: number, to: number) => readonly S[]) | undefined;

  constructor(name: string, states: readonly S[], keyOf: (state: S) => string = (state) => JSON.stringify(state)) {
    this.name = name;
    this.#keyOf = keyOf;
    this.#courses = states.map((state) => ({ state, done: new Map() }));
    this.#entries = [{ at: Number.NEGATIVE_INFINITY, states }];
  }

  /**
   * From now on its states are those that the store had, which `truth` tells; its writes are not judged any more. For
   * things that other things change too.
   */
  follow(truth: (from: number, to: number) => readonly S[]): void {
    this.#truth = truth;
    this.#open = [];
  }

  get isFollowing(): boolean {
    return this.#truth !== undefined;
  }

  /** Sets the state before the first read or write. */
  assume(state: S): void {
    this.#courses = [{ state, done: new Map() }];
    this.#entries = [{ at: Number.NEGATIVE_INFINITY, states: [state] }];
  }

  /** Whether no write is under way or may still arrive. */
  isQuiet(now: number): boolean {
    this.#closeUntil(now);
    return this.#open.length === 0;
  }

  isCrowded(now: number): boolean {
    this.#closeUntil(now);
    const open = this.#open.length;
    return open >= CROWDED || (open > 1 && this.#courses.length > MANY_COURSES);
  }

  begin(now: number, effect: Effect<S>): Write {
    const write: OpenWrite<S> = { number: ++this.#numbers, effect, closesAt: Number.POSITIVE_INFINITY };
    if (this.#truth) return write;
    this.#closeUntil(now);
    this.#open.push(write);
    this.#note(now);
    return write;
  }

  /** Ends a write with the outcome that its sender got; throws NotLinearizable if no history allows it. */
  end(now: number, write: Write, outcome: string): void {
    if (this.#truth) return;
    this.#closeUntil(now);
    const before = this.#reachable();
    const fitting = before.filter(({ done }) => done.get(write.number) === outcome);
    if (fitting.length === 0) {
      const states = [...new Set(this.#courses.map(({ state }) => this.#keyOf(state)))].join(" or ");
      throw new NotLinearizable(`${this.name}: "${outcome}" has no place in history; the state was ${states}`);
    }
    this.#forget(write, fitting);
    this.#note(now);
  }

  /** Ends a write that was refused for a reason outside of the state: it had no effect. */
  cancel(now: number, write: Write): void {
    if (this.#truth) return;
    this.#closeUntil(now);
    this.#forget(
      write,
      this.#courses.filter(({ done }) => !done.has(write.number)),
    );
    this.#note(now);
  }

  /** Ends a write without an answer: it may still take effect for a while. */
  lose(now: number, write: Write): void {
    const open = this.#open.find(({ number }) => number === write.number);
    if (open) open.closesAt = now + LATEST_MS;
  }

  /** The states that were possible at some moment of a span. */
  between(from: number, to: number): readonly S[] {
    if (this.#truth) return this.#truth(from, to);
    this.#closeUntil(to);
    const last = this.#entries.at(-1) as Entry<S>;
    if (last.at < from) return last.states;
    const states = new Map<string, S>();
    for (let at = this.#entries.length - 1; at >= 0; at--) {
      const entry = this.#entries[at] as Entry<S>;
      if (entry.at <= to) for (const state of entry.states) states.set(this.#keyOf(state), state);
      if (entry.at < from) break;
    }
    return [...states.values()];
  }

  /** Drops the states that a read excludes, unless a write was under way. */
  learn(from: number, to: number, fits: (state: S) => boolean): void {
    if (this.#truth) return;
    const last = this.#entries.at(-1) as Entry<S>;
    if (last.states.length < 2 || last.at >= from || !this.isQuiet(to)) return;
    const courses = this.#courses.filter(({ state }) => fits(state));
    if (courses.length === 0 || courses.length === this.#courses.length) return;
    this.#courses = courses;
    this.#note(to);
  }

  #closeUntil(now: number): void {
    for (;;) {
      const next = this.#open.reduce<OpenWrite<S> | undefined>(
        (first, each) => (each.closesAt <= now && each.closesAt < (first?.closesAt ?? Infinity) ? each : first),
        undefined,
      );
      if (!next) return;
      this.#forget(next, this.#reachable());
      this.#note(next.closesAt);
    }
  }

  #forget(write: Write, courses: readonly Course<S>[]): void {
    this.#open = this.#open.filter(({ number }) => number !== write.number);
    const left = courses.map(({ state, done }) => {
      const rest = new Map(done);
      rest.delete(write.number);
      return { state, done: rest };
    });
    this.#courses = this.#distinct(left);
  }

  #reachable(): readonly Course<S>[] {
    const found = new Map(this.#courses.map((course) => [this.#courseKey(course), course]));
    const queue = [...found.values()];
    for (let course = queue.pop(); course; course = queue.pop()) {
      for (const { number, effect } of this.#open) {
        if (course.done.has(number)) continue;
        for (const { state, outcome } of effect(course.state)) {
          const next: Course<S> = { state, done: new Map(course.done).set(number, outcome) };
          const key = this.#courseKey(next);
          if (found.has(key)) continue;
          found.set(key, next);
          queue.push(next);
        }
      }
      if (found.size > MOST_COURSES) throw new Error(`${this.name}: more than ${MOST_COURSES} ways to follow`);
    }
    return [...found.values()];
  }

  #distinct(courses: readonly Course<S>[]): Course<S>[] {
    return [...new Map(courses.map((course) => [this.#courseKey(course), course])).values()];
  }

  #courseKey({ state, done }: Course<S>): string {
    const writes = [...done].sort(([a], [b]) => a - b).map(([number, outcome]) => `${number}=${outcome}`);
    return `${this.#keyOf(state)} ${writes.join()}`;
  }

  #note(now: number): void {
    const courses = this.#open.length === 0 ? this.#courses : this.#reachable();
    const states = [...new Map(courses.map(({ state }) => [this.#keyOf(state), state])).values()];
    this.#entries.push({ at: now, states });
    while (this.#entries[1] && this.#entries[1].at < now - REMEMBERED_MS) this.#entries.shift();
  }
}
