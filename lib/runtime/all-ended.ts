/** Waits for all, then throws the first failure: Lambda stops a process once it has answered. */
export async function allEnded<T>(works: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
