import { globalsOf } from "./globals.ts";
import type { Program } from "./program.ts";
import type { Scheduler } from "./scheduler.ts";
import { Timers } from "./timers.ts";
import type { Network } from "./wire.ts";

type ContainerOptions = {
  name: string;
  scheduler: Scheduler;
  network: Network;
  environment: Record<string, string>;
  /** The milliseconds by which its clock is ahead of the true time; negative if it is behind. */
  clockError?: number;
  print?: (line: string) => void;
};

/** A process with module state, globals, clock, timers, chance and connections of its own. */
export class Container {
  readonly name: string;
  readonly #scheduler: Scheduler;
  readonly #timers: Timers;
  readonly #globals: ReturnType<typeof globalsOf>;
  #isAlive = true;

  constructor({ name, scheduler, network, environment, clockError = 0, print = () => {} }: ContainerOptions) {
    this.name = name;
    this.#scheduler = scheduler;
    this.#timers = new Timers(scheduler);
    this.#globals = globalsOf({
      name,
      scheduler,
      network,
      environment,
      print,
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
