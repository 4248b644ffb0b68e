// Item sizes as DynamoDB counts them: names and values in UTF-8, numbers about half a byte a digit, three bytes a map or list.

type Value = { S?: string; N?: string; BOOL?: boolean; NULL?: boolean; M?: Record<string, Value>; L?: Value[] };

const bytes = (text: string): number => Buffer.byteLength(text, "utf8");

const sizeOfValue = (value: Value): number => {
  if (value.S !== undefined) return bytes(value.S);
  if (value.N !== undefined) return Math.ceil(value.N.replace(/[-.]/g, "").length / 2) + 1;
  if (value.M)
    return 3 + Object.entries(value.M).reduce((sum, [name, each]) => sum + bytes(name) + sizeOfValue(each) + 1, 0);
  if (value.L) return 3 + value.L.reduce((sum, each) => sum + sizeOfValue(each) + 1, 0);
  return 1;
};

/** The size of an item, in bytes, in the form in which the SDK sends it. */
export const sizeOf = (item: Record<string, unknown>): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + bytes(name) + sizeOfValue(value as Value), 0);
