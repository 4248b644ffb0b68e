// Item sizes as DynamoDB counts them: names and values in UTF-8, numbers about half a byte a digit, three bytes a map
// or list.

/** An item as the document client reads it. */
export type Item = Record<string, unknown>;

function bytes(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function sizeOfValue(value: unknown): number {
  if (typeof value === "string") return bytes(value);
  if (typeof value === "number" || typeof value === "bigint")
    return Math.ceil(String(value).replace(/[-.]/g, "").replace(/0+$/, "").length / 2) + 1;
  if (Array.isArray(value)) return 3 + sum(value.map((each) => sizeOfValue(each) + 1));
  if (typeof value !== "object" || value === null) return 1;
  return 3 + sum(Object.entries(value).map(([name, each]) => bytes(name) + sizeOfValue(each) + 1));
}

export function sizeOf(item: Item): number {
  return sum(Object.entries(item).map(([name, value]) => bytes(name) + sizeOfValue(value)));
}
