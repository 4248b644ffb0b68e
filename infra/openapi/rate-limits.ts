import { callLimitsOf, type Definition } from "../../lib/http/definition.ts";
import type { RateLimit } from "../../lib/http/rate-limits.ts";

/** A window of a rate limit: at most `hits` calls in `seconds`, counted for each value of `per`. */
type LimitWindow = { hits: number; seconds: number; per: string[] };

type Limit = NonNullable<Definition["limit"]>;

const BY = { network: "192.0.2.1", account: "one" };

function limitOf(limit: Limit, tail: string, by: Partial<typeof BY> = {}): RateLimit["counts"] {
  const input = anyInput((name) => `${name}${tail}`);
  return limit(input, { ...BY, ...by } as never).counts;
}

/** Input of any shape: `textOf` makes the value of each field. */
function anyInput(textOf: (name: string) => string): never {
  const part = new Proxy({}, { get: (_, name) => textOf(String(name)) });
  return new Proxy({}, { get: () => part }) as never;
}

function fieldsReadBy(limit: Limit): string[] {
  const names = new Set<string>();
  const input = anyInput((name) => {
    names.add(name);
    return name;
  });
  limit(input, BY as never);
  return [...names];
}

/** The windows of an endpoint: of a limit, they are found by calling it with different inputs. */
export function windowsOf(definition: Definition): LimitWindow[] {
  const { limit } = definition;
  if (!limit) return callLimitsOf(definition).map(({ hits, seconds }) => ({ hits, seconds, per: ["account"] }));
  const usual = limitOf(limit, "");
  const others = {
    [fieldsReadBy(limit).join(" and ")]: limitOf(limit, " 2"),
    network: limitOf(limit, "", { network: "192.0.2.2" }),
    account: limitOf(limit, "", { account: "two" }),
  };
  return usual.flatMap(({ windows, subject }, index) => {
    const per = Object.keys(others).filter((name) => others[name]?.[index]?.subject !== subject);
    return windows.map(({ hits, seconds }) => ({ hits, seconds, per: per.length > 0 ? per : ["site"] }));
  });
}

const UNITS: [name: string, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

function durationOf(seconds: number): string {
  const [name, length] = UNITS.find(([, each]) => seconds % each === 0) as [string, number];
  const count = seconds / length;
  return count === 1 ? `${name === "hour" ? "an" : "a"} ${name}` : `in ${count} ${name}s`;
}

/** Windows in words: "10 a minute, 60 an hour by account; 300 an hour by network". */
export function inWords(windows: LimitWindow[]): string {
  const perSubject = Map.groupBy(windows, ({ per }) => per.join(" and "));
  return [...perSubject]
    .map(([per, own]) => `${own.map(({ hits, seconds }) => `${hits} ${durationOf(seconds)}`).join(", ")} by ${per}`)
    .join("; ");
}
