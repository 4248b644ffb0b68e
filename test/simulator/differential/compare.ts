import type { Command, Reply } from "./engines.ts";

type Keyed = { pk: { S: string }; sk: { S: string } };

function inOrder(items: Keyed[]): Keyed[] {
  const keyOf = ({ pk, sk }: Keyed): string => JSON.stringify([pk, sk]);
  return items.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The same with each set in one order: an engine gives it in any. */
function inOneOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneOrder);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === "SS" && Array.isArray(inner) ? inner.toSorted() : inOneOrder(inner),
    ]),
  );
}

/** The part of a reply that has to agree: of an error its name and reasons, not its wording. */
export function gist(command: Command, reply: Reply): unknown {
  return inOneOrder(orderedGist(command, reply));
}

function orderedGist({ operation }: Command, { status, body }: Reply): object {
  if (status !== 200) {
    const type = String(body.__type).split("#").at(-1);
    const reasons = (body.CancellationReasons ?? []) as { Code: string; Item?: unknown }[];
    return { status, type, item: body.Item, reasons: reasons.map(({ Code, Item }) => ({ Code, Item })) };
  }
  const { ConsumedCapacity: _, ...rest } = body;
  if (operation !== "BatchGetItem") return rest;
  // The items of a batch come in any order.
  const responses = Object.entries(rest.Responses as Record<string, Keyed[]>);
  return { ...rest, Responses: responses.map(([table, items]) => [table, inOrder(items)]) };
}
