import type { FaultKind } from "../../simulator/faults/faults.ts";
import type { FaultPlan } from "../../simulator/faults/plan.ts";

/** The faults of a call that leave open whether it was carried out, or that end its container. */
export const FAULTS: FaultKind[] = ["kill-before", "kill-after", "lost-answer", "reset-after"];

/** Meets the call of this number, of the first request to an endpoint alone; counts the calls. */
export function faultAt(number: number, kind: FaultKind, endpoint: string): FaultPlan & { calls: number } {
  let first: string | undefined;
  const plan = {
    calls: 0,
    met: [],
    draw: ({ request }: { request: string }) => {
      if (!request.startsWith(`${endpoint} `)) return undefined;
      const [operation] = request.split("#");
      first ??= operation;
      if (operation !== first) return undefined;
      plan.calls++;
      return plan.calls === number ? { request, kind, milliseconds: 0 } : undefined;
    },
  };
  return plan;
}
