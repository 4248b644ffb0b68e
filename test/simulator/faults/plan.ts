import type { Random } from "../scheduler/random.ts";
import { DURATIONS, type Fault, type FaultKind, FITS, type Weather } from "./faults.ts";

/** A request; its name is the same in each other run that has its operation. */
type Attempt = { request: string; operation: string; random: Random };

export type FaultPlan = {
  draw: (attempt: Attempt) => Fault | undefined;
  /** The faults that met requests so far, in order. */
  met: readonly Fault[];
};

/** Faults by rates. Each request draws for itself, so other requests do not change the fault that it meets. */
export function drawnFaults(weather: Weather): FaultPlan {
  const rules = weather.flatMap(([operations, rates]) =>
    Object.entries(rates).map(([name, rate]) => {
      const kind = name as FaultKind;
      const [percent, low, high] = typeof rate === "number" ? [rate, ...(DURATIONS[kind] ?? [0, 0])] : rate;
      return { operations, kind, share: percent / 100, low, high };
    }),
  );
  const met: Fault[] = [];
  const draw = ({ request, operation, random }: Attempt): Fault | undefined => {
    let left = random.next();
    for (const { operations, kind, share, low, high } of rules) {
      if (!operations.test(operation) || FITS[kind]?.test(operation) === false) continue;
      left -= share;
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
