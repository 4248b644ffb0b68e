import type { Reply } from "./invoke.ts";

/** How often each answer came: by its status, with the code of an error. */
export function tally(replies: Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) {
    const name = body?.code ? `${status} ${body.code}` : String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Does something `count` times in parallel. */
export function atOnce<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => work(n)));
}

/**
 * As many as a test means to do in parallel, or a quarter on DynamoDB Local, where the last of many would wait longer
 * than the client does.
 */
export function crowdOf(count: number): number {
  return process.env.DB_ENGINE === "dynamodb-local" ? count / 4 : count;
}
