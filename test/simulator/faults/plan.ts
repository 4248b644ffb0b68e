import type { Random } from "../scheduler/random.ts";
import type { Fault, FaultKind } from "./faults.ts";
import type { Rule } from "./language.ts";

export type Attempt = {
  /** Names it, in this run and in each other one that has its operation. */
  request: string;
  operation: string;
  random: Random;
  /** Milliseconds since the run began. */
  time: number;
};

export type FaultPlan = {
  draw: (attempt: Attempt) => Fault | undefined;
  /** The faults that met requests so far, in order. */
  met: readonly Fault[];
};

const MAKES_SENSE: Partial<Record<FaultKind, RegExp>> = {
  conflict: /^(TransactWriteItems|PutItem|UpdateItem|DeleteItem)$/,
  "in-progress": /^TransactWriteItems$/,
  stall: /^TransactWriteItems$/,
  unprocessed: /^Batch/,
  "short-page": /^Query$/,
};

/** Faults by rules. Each request draws for itself, so other requests do not change the fault that it meets. */
export function drawnFaults(rules: readonly Rule[]): FaultPlan {
  const met: Fault[] = [];
  const draw = ({ request, operation, random, time }: Attempt): Fault | undefined => {
    let left = random.next();
    for (const { operations, from, to, kind, rate, low, high } of rules) {
      const applies = time >= from && time < to && (operations?.has(operation) ?? true);
      if (!applies || !(MAKES_SENSE[kind]?.test(operation) ?? true)) continue;
      left -= rate;
      if (left >= 0) continue;
      const fault: Fault = { request, kind, milliseconds: Math.round(random.between(low, high)) };
      met.push(fault);
      return fault;
    }
    return undefined;
  };
  return { draw, met };
}

/** Exactly these faults of an earlier run, or some of them. */
export function replayedFaults(faults: readonly Fault[]): FaultPlan {
  const byRequest = new Map(faults.map((fault) => [fault.request, fault]));
  const met: Fault[] = [];
  return {
    met,
    draw: ({ request, random }) => {
      // Draws as many numbers as the first time, so that everything else stays the same.
      random.next();
      const fault = byRequest.get(request);
      if (fault) {
        random.next();
        met.push(fault);
      }
      return fault;
    },
  };
}
