import { setTimeout as sleep } from "node:timers/promises";
import * as log from "../../lib/runtime/log.ts";
import { type Engine, type EngineOptions, startEngine } from "./engine/engine.ts";
import type { Shutdown } from "./run.ts";

const PAUSE_MS = 5000;

type KeptEngineOptions = EngineOptions & {
  shutdown: Shutdown;
  /** Called when a restarted engine answers, before it counts as back. */
  onReturn: () => Promise<void>;
};

/**
 * Starts an engine and restarts it on the same port, after a pause, whenever it ends by itself. Calls in between find
 * no store.
 */
export async function keepEngine({ shutdown, onReturn, ...options }: KeptEngineOptions): Promise<Engine> {
  let current = await startEngine(options);
  shutdown.add(() => current.stop());
  const { kind, port } = current;
  const restartWhenEnded = async (): Promise<void> => {
    for (let reason: unknown = await current.ended; !shutdown.isRunning(); ) {
      log.error(`the engine ended; it is started again in ${PAUSE_MS / 1000} s`, { error: reason });
      await sleep(PAUSE_MS);
      if (shutdown.isRunning()) return;
      try {
        current = await startEngine({ ...options, kind, port });
        await onReturn();
        log.info("the engine is back");
        reason = await current.ended;
      } catch (error) {
        reason = error;
      }
    }
  };
  void restartWhenEnded();
  return current;
}
