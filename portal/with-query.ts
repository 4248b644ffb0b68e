/**
 * An address with the values that are given, in their order. Not by `URLSearchParams.size`, which the oldest browsers
 * lack.
 */
export function withQuery(path: string, values: Record<string, string | undefined>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const query = new URLSearchParams(given).toString();
  return query ? `${path}?${query}` : path;
}
