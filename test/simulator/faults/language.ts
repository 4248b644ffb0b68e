import { operations } from "../model/operations/index.ts";
import { DURATIONS, FAULTS, type FaultKind } from "./faults.ts";

/** A rule: how often a fault meets requests of some operations, and when. */
export type Rule = {
  /** The operations of the store that it may meet; all by default. */
  operations: ReadonlySet<string> | undefined;
  /** From when to when, in milliseconds since the run began. */
  from: number;
  to: number;
  kind: FaultKind;
  /** The rate, from 0 to 1. */
  rate: number;
  /** How long it lasts, in milliseconds. */
  low: number;
  high: number;
};

const HEAD = /^(?<who>\*|\w+(?:\s*,\s*\w+)*)(?:\s+from\s+(?<from>\S+))?(?:\s+to\s+(?<to>\S+))?$/;
const FAULT = /^(?<kind>[\w-]+)\s+(?<rate>\d+(?:\.\d+)?)%(?:\s+(?<low>[^.\s]+(?:\.\d+\w+)?)\.\.(?<high>\S+))?$/;
const TIME = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads a plan of faults. A line names operations, perhaps a span of time, and faults with their rates:
 *
 *     TransactWriteItems: conflict 10%, late 1% 2s..3.5s
 *     Query, BatchGetItem: slow 5%
 *     * from 10s to 12s: refuse 100%
 *
 * `#` begins a comment, `;` stands for a new line. At most one fault meets a request. Throws an Error that names the
 * line.
 */
export function parseFaults(text: string): Rule[] {
  return text
    .split(/[\n;]/)
    .map((line) => line.replace(/#.*/, "").trim())
    .filter((line) => line !== "")
    .flatMap(rulesOf);
}

function rulesOf(line: string): Rule[] {
  const wrong = (what: string): Error => new Error(`${what} in the plan of faults: "${line}"`);
  const [head = "", ...rest] = line.split(":");
  const { who = "", from = "0ms", to } = HEAD.exec(head.trim())?.groups ?? {};
  if (who === "" || rest.length === 0) throw wrong("a line is not of the form `operations: faults`");
  const timeOf = (given: string): number => {
    const [, number, unit = ""] = TIME.exec(given) ?? [];
    if (number === undefined) throw wrong(`"${given}" is not a time (2s, 300ms, 1.5h)`);
    return Number(number) * (UNITS[unit] ?? 1);
  };
  const names = who === "*" ? undefined : who.split(/\s*,\s*/);
  const unknown = names?.find((name) => !Object.hasOwn(operations, name));
  if (unknown) throw wrong(`"${unknown}" is not an operation`);
  return rest
    .join(":")
    .split(",")
    .map((each): Rule => {
      const { kind = "", rate, low, high } = FAULT.exec(each.trim())?.groups ?? {};
      if (rate === undefined) throw wrong(`"${each.trim()}" is not of the form \`fault 1%\` or \`fault 1% 1s..2s\``);
      if (!Object.hasOwn(FAULTS, kind)) throw wrong(`"${kind}" is not a fault`);
      if (Number(rate) > 100) throw wrong(`${rate}% is more than all`);
      const [usualLow, usualHigh] = DURATIONS[kind as FaultKind] ?? [0, 0];
      return {
        operations: names && new Set(names),
        from: timeOf(from),
        to: to === undefined ? Number.POSITIVE_INFINITY : timeOf(to),
        kind: kind as FaultKind,
        rate: Number(rate) / 100,
        low: low === undefined ? usualLow : timeOf(low),
        high: high === undefined ? usualHigh : timeOf(high),
      };
    });
}
