import type { Command, Reply } from "./engines.ts";

// Two replies are the same when they say the same: attributes, and the members of sets, have no order.

/** How numbers are compared: as they are written, or by what they mean (roughly). */
type Numbers = "written" | "meant";

function sorted(value: unknown, numbers: Numbers, name = ""): unknown {
  if (Array.isArray(value)) {
    const all = value.map((each) => sorted(each, numbers));
    return /^[SNB]S$/.test(name) ? all.sort() : all;
  }
  if (typeof value !== "object" || value === null) return name === "N" && numbers === "meant" ? Number(value) : value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([member, each]) => [member, sorted(each, numbers, member)]));
}

/** What of a reply has to agree: of an error its name and reasons, not its wording. */
export function gist({ operation }: Command, { status, body }: Reply, numbers: Numbers = "written"): string {
  const asText = (value: unknown): string => JSON.stringify(sorted(value, numbers));
  // The items of a batch come in any order.
  const batch = (responses: unknown): unknown =>
    Object.fromEntries(
      Object.entries(responses as Record<string, unknown[]>).map(([table, items]) => [table, items.map(asText).sort()]),
    );
  if (status !== 200) {
    const type = String(body.__type).split("#").at(-1);
    const reasons = (body.CancellationReasons ?? []) as { Code: string; Item?: unknown }[];
    return asText({ status, type, item: body.Item, reasons: reasons.map(({ Code, Item }) => ({ Code, Item })) });
  }
  const { ConsumedCapacity: _, ...said } = body;
  return asText(operation === "BatchGetItem" ? { ...said, Responses: batch(said.Responses) } : said);
}
