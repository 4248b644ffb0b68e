import type { Command, Reply } from "./engines.ts";

/** A value with the members of objects in one order: attributes have none. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

function asText(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** The part of a reply that has to agree: of an error its name and reasons, not its wording. */
export function gist({ operation }: Command, { status, body }: Reply): string {
  if (status !== 200) {
    const type = String(body.__type).split("#").at(-1);
    const reasons = (body.CancellationReasons ?? []) as { Code: string; Item?: unknown }[];
    return asText({ status, type, item: body.Item, reasons: reasons.map(({ Code, Item }) => ({ Code, Item })) });
  }
  const { ConsumedCapacity: _, ...rest } = body;
  if (operation !== "BatchGetItem") return asText(rest);
  // The items of a batch come in any order.
  const responses = Object.entries(rest.Responses as Record<string, unknown[]>);
  return asText({ ...rest, Responses: responses.map(([table, items]) => [table, items.map(asText).sort()]) });
}
