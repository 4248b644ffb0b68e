import { expect } from "vitest";
import { findingsIn } from "../../../infra/operator/check-table/check.ts";
import type { FaultKind } from "../../simulator/faults/faults.ts";
import type { Program } from "../../simulator/scheduler/program.ts";
import { faultAt } from "./fault-at.ts";
import { World } from "./world.ts";

/** Which call of an endpoint to the store meets a fault, from 1 on; 0 is none. */
export type FaultOf = { endpoint: string; number: number; kind: FaultKind };

/** Carries something out while the fault may come. What a killed container has sent has arrived when it returns. */
export type UnderFault = <Result>(act: () => Promise<Result>) => Promise<Result>;

/**
 * Plays a story in which one call meets a fault, and checks the table at its end. Returns what the story does, and how
 * many calls the endpoint has made.
 */
export function storyWith<Outcome extends object>(
  program: Program,
  { endpoint, number, kind }: FaultOf,
  seed: string,
  play: (world: World, underFault: UnderFault) => Promise<Outcome>,
): Promise<Outcome & { calls: number }> {
  const faults = faultAt(number, kind, endpoint);
  let mayCome = false;
  const world = new World({
    seed,
    program,
    clockErrors: [0, 0],
    faults: { ...faults, draw: (of) => (mayCome ? faults.draw(of) : undefined) },
  });
  const underFault: UnderFault = async (act) => {
    mayCome = true;
    const result = await act();
    mayCome = false;
    await world.sleep(12_000);
    return result;
  };
  return world.complete(
    (async () => {
      const outcome = await play(world, underFault);
      await world.sleep(60_000);
      expect(findingsIn(world.items() as never)).toEqual([]);
      return { ...outcome, calls: faults.calls };
    })(),
  );
}
