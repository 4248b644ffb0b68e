import { setTimeout as sleep } from "node:timers/promises";
import * as log from "../../../lib/runtime/log.ts";
import { type Engine, type EngineKind, startEngine } from "./engine.ts";

const RESTART_MS = 5000;

/** What keeping an engine takes: its data, and whom to tell. */
export type Keeping = {
  data: string | undefined;
  /** Where it listens, and on which port; the loopback and any free one by default. */
  host?: string;
  port?: number;
  /** Gets what ends the engine for good, before there is one. */
  started: (stop: () => Promise<void>) => void;
  /** Learns of each process as soon as it runs. */
  spawned: (engine: Engine) => void;
  /** Runs when an engine is back, before it is called so. */
  returned: () => Promise<void>;
};

/** Starts an engine and keeps it: should it end, another one takes its port after a pause; calls in between find no store. */
export const keepEngine = async (keeping: Keeping): Promise<Engine> => {
  const { data, host, port, started, spawned, returned } = keeping;
  const stopping = new AbortController();
  let current: Engine | undefined;
  started(async () => {
    stopping.abort();
    await current?.stop();
  });
  const launch = (again: { kind?: EngineKind; port?: number } = {}): Promise<Engine> =>
    startEngine({
      ...(port && { port }),
      ...again,
      ...(host && { host }),
      ...(data && { data }),
      detached: true,
      spawned: (engine) => {
        current = engine;
        spawned(engine);
      },
    });
  const first = await launch();
  void relaunch(first, launch, returned, stopping.signal);
  return first;
};

const relaunch = async (
  { kind, port, ended }: Engine,
  launch: (again: { kind: EngineKind; port: number }) => Promise<Engine>,
  returned: () => Promise<void>,
  stopping: AbortSignal,
): Promise<void> => {
  for (let complaint: unknown = await ended; !stopping.aborted; ) {
    log.error("the engine ended; it is started again in 5 s", { error: complaint });
    await sleep(RESTART_MS, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    try {
      const engine = await launch({ kind, port });
      await returned();
      log.info("the engine is back");
      complaint = await engine.ended;
    } catch (error) {
      complaint = error;
    }
  }
};
