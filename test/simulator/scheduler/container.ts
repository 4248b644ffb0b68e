import { globalsOf, type Surroundings } from "./globals.ts";
import type { Program } from "./program.ts";
import type { Scheduler } from "./scheduler.ts";
import { Timers } from "./timers.ts";

type ContainerOptions = Surroundings & {
  /** The milliseconds by which its clock is ahead of the true time; negative if it is behind. */
  clockError?: number;
};

/** A process with module state, globals, clock, timers, chance and connections of its own. */
export class Container {
  readonly name: string;
  readonly #scheduler: Scheduler;
  readonly #timers: Timers;
  readonly #globals: ReturnType<typeof globalsOf>;
  #isAlive = true;

  constructor({ clockError = 0, ...surroundings }: ContainerOptions) {
    const { name, scheduler } = surroundings;
    this.name = name;
    this.#scheduler = scheduler;
    this.#timers = new Timers(scheduler);
    this.#globals = globalsOf({
      ...surroundings,
      timers: this.#timers,
      random: scheduler.random.fork(`container ${name}`),
      wallClock: () => scheduler.now + clockError,
      isAlive: () => this.#isAlive,
    });
  }

  start<Exports>(program: Program): Exports {
    this.#scheduler.disturb();
    return program.evaluate(this.#globals) as Exports;
  }

  /** Ends it, as `kill -9` does; the requests that it sent are still on their way. */
  kill(): void {
    this.#isAlive = false;
    this.#timers.kill();
  }
}
