export const TableName = "table";

export function key(sk: string, pk = "p") {
  return { pk: { S: pk }, sk: { S: sk } };
}

export function put(sk: string, more: object = {}) {
  return { TableName, Item: { ...key(sk), ...more } };
}

export function count(sk: string, more: object = {}) {
  const ExpressionAttributeValues = { ":one": { N: "1" } };
  return { Update: { TableName, Key: key(sk), UpdateExpression: "ADD n :one", ExpressionAttributeValues, ...more } };
}

export function query(pk: string) {
  return { TableName, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": { S: pk } } };
}
