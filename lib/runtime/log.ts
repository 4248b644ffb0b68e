import { Unavailable } from "./errors.ts";

/** The only fields of a log line, so that no header, body, address or token is logged by mistake. */
export type LogFields = {
  requestId?: string | undefined;
  endpoint?: string | undefined;
  method?: string | undefined;
  route?: string | undefined;
  status?: number | undefined;
  code?: string | undefined;
  ms?: number | undefined;
  storeCalls?: number | undefined;
  conflicts?: number | undefined;
  userId?: string | undefined;
  apiKey?: string | undefined;
  /** The account that the call concerns, if it is not the caller's. */
  account?: string | undefined;
  /** A keyed mark of the client's network: lib/auth/signing-keys.ts. */
  network?: string | undefined;
  key?: string | undefined;
  item?: string | undefined;
  /** What the item becomes: a role, a status, a post that it is merged into. */
  to?: string | undefined;
  /** The names of the fields that a call sets. */
  changed?: string[] | undefined;
  attempt?: number | undefined;
  error?: unknown;
};

function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack } = error;
  // A store that is down makes many such lines, and the stack of each would be the same.
  return error instanceof Unavailable ? { name, message } : { name, message, stack };
}

/** A line for a person at a terminal: `12:00:01 POST /votes 201 5 ms`. */
function shortLine(time: string, { method, route, status, code, ms, key, item, error }: LogFields): string {
  const words = [time.slice(11, 19), method, route, status, code, ms !== undefined && `${ms} ms`, key ?? item];
  return [...words.filter((word) => word), ...(error instanceof Error ? [error.stack] : [])].join(" ");
}

function logger(level: "info" | "warn" | "error") {
  return (message: string, { error, ...fields }: LogFields = {}): void => {
    const time = new Date().toISOString();
    const line = process.stdout.isTTY
      ? shortLine(time, { route: `${level}: ${message}`, ...fields, error })
      : JSON.stringify({ time, level, message, ...fields, ...(error === undefined ? {} : { error: describe(error) }) });
    // The console of Lambda would escape the line into a string within JSON of its own.
    process.stdout.write(`${line}\n`);
  };
}

export const info = logger("info");

/** Needs attention, not urgent. */
export const warn = logger("warn");

/** Needs attention now. */
export const error = logger("error");
