type Input = {
  Key?: Record<string, { S?: string }>;
  Item?: Record<string, { S?: string }>;
  ExpressionAttributeValues?: Record<string, object>;
  KeyConditionExpression?: string;
  RequestItems?: Record<string, { Keys?: Record<string, { S?: string }>[] }>;
  TransactItems?: Record<string, Input>[];
};

function keyText(attributes: Record<string, { S?: string }> | undefined): string {
  return `${attributes?.pk?.S}|${attributes?.sk?.S}`;
}

/** The subject of a request, in a few words for a trace. */
export function subjectOf(input: Input): string {
  if (input.Key || input.Item) return keyText(input.Key ?? input.Item);
  if (input.KeyConditionExpression) {
    return Object.values(input.ExpressionAttributeValues ?? {})
      .map((value) => Object.values(value)[0])
      .join("|");
  }
  if (input.TransactItems) {
    return input.TransactItems.map((part) => {
      const [kind = "", inner = {}] = Object.entries(part)[0] ?? [];
      return `${kind} ${keyText(inner.Key ?? inner.Item)}`;
    }).join(", ");
  }
  return Object.values(input.RequestItems ?? {})
    .flatMap(({ Keys = [] }) => Keys.map(keyText))
    .join(", ");
}
