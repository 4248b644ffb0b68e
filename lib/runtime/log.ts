/** The only fields that a log line may carry: no header, no body, no address, no token can get in by mistake. */
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
  key?: string | undefined;
  item?: string | undefined;
  attempt?: number | undefined;
  error?: unknown;
};

type Level = "info" | "warn" | "error";

// Not by way of the console: Lambda would wrap the line into JSON of its own, with ours as an escaped string inside.
let write = (_level: Level, line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Sends log lines elsewhere than to the console (tests). */
export const logTo = (writer: typeof write): void => {
  write = writer;
};

const describe = (error: unknown): unknown =>
  error instanceof Error ? { name: error.name, message: error.message, stack: error.stack } : String(error);

const log = (level: Level, message: string, { error, ...fields }: LogFields = {}): void =>
  write(
    level,
    JSON.stringify({
      time: new Date().toISOString(),
      level,
      message,
      ...fields,
      ...(error === undefined ? {} : { error: describe(error) }),
    }),
  );

/** Logs what happened, as one JSON line. */
export const info = (message: string, fields?: LogFields): void => log("info", message, fields);

/** Logs what somebody should look at some day, as one JSON line. */
export const warn = (message: string, fields?: LogFields): void => log("warn", message, fields);

/** Logs what somebody should look at now, as one JSON line. */
export const error = (message: string, fields?: LogFields): void => log("error", message, fields);
