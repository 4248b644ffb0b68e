/** The shortest list that still fails (ddmin). `fails` has to hold for the whole list. */
export async function shrink<T>(things: readonly T[], fails: (fewer: readonly T[]) => Promise<boolean>): Promise<T[]> {
  let left = [...things];
  for (let parts = 2; left.length > 0; ) {
    const size = Math.ceil(left.length / parts);
    const shorter = await firstFailing(left, size, fails);
    if (shorter) {
      left = shorter;
      parts = Math.max(parts - 1, 2);
    } else if (size === 1) break;
    else parts = Math.min(parts * 2, left.length);
  }
  return left;
}

async function firstFailing<T>(
  things: readonly T[],
  size: number,
  fails: (fewer: readonly T[]) => Promise<boolean>,
): Promise<T[] | undefined> {
  for (let at = 0; at < things.length; at += size) {
    const rest = [...things.slice(0, at), ...things.slice(at + size)];
    if (await fails(rest)) return rest;
  }
  return undefined;
}
