import { setTimeout as sleep } from "node:timers/promises";
import * as log from "../../../lib/runtime/log.ts";
import { type Engine, type EngineOptions, startEngine } from "./engine.ts";

const PAUSE_MS = 5000;

type KeptEngineOptions = {
  data: string | undefined;
  /** The loopback by default. */
  host?: string;
  /** Any free one by default. */
  port?: number;
  /** Takes the step that stops the engine for good, before the first process starts. */
  shutdown: (stop: () => Promise<void>) => void;
  /** Called with each process of the engine as soon as it runs, before it answers. */
  onStart: (engine: Engine) => void;
  /** Called when a restarted engine answers, before it counts as back. */
  onReturn: () => Promise<void>;
};

/** Starts an engine and restarts it on the same port, after a pause, whenever it ends by itself. Calls in between find no store. */
export async function keepEngine(options: KeptEngineOptions): Promise<Engine> {
  const { data, host, port, shutdown, onStart, onReturn } = options;
  const stopping = new AbortController();
  let current: Engine | undefined;
  shutdown(async () => {
    stopping.abort();
    await current?.stop();
  });
  const launch = (again: Pick<EngineOptions, "kind" | "port"> = {}): Promise<Engine> =>
    startEngine({
      ...(port && { port }),
      ...again,
      ...(host && { host }),
      ...(data && { data }),
      detached: true,
      onStart: (engine) => {
        current = engine;
        onStart(engine);
      },
    });
  const first = await launch();
  void restartWhenEnded(first, launch, onReturn, stopping.signal);
  return first;
}

async function restartWhenEnded(
  { kind, port, ended }: Engine,
  launch: (again: Pick<EngineOptions, "kind" | "port">) => Promise<Engine>,
  onReturn: () => Promise<void>,
  stopping: AbortSignal,
): Promise<void> {
  for (let complaint: unknown = await ended; !stopping.aborted; ) {
    log.error(`the engine ended; it is started again in ${PAUSE_MS / 1000} s`, { error: complaint });
    await sleep(PAUSE_MS, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    try {
      const engine = await launch({ kind, port });
      await onReturn();
      log.info("the engine is back");
      complaint = await engine.ended;
    } catch (error) {
      complaint = error;
    }
  }
}
