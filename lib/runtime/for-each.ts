import { allEnded } from "./all-ended.ts";

/** Works on items, some at a time. When it rejects, no work continues. */
export async function forEach<T>(items: Iterable<T>, atATime: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done && !hasFailed; next = queue.next()) {
      await work(next.value).catch((error: unknown) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await allEnded(Array.from({ length: atATime }, worker));
}
