export const TableName = "table";

/** Headers in the place of a signature: local engines look at their form at most. */
export const FIXED_SIGNATURE = {
  authorization:
    "AWS4-HMAC-SHA256 Credential=local/20260105/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=00",
  "x-amz-date": "20260105T000000Z",
};

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
  const ExpressionAttributeValues = { ":p": { S: pk }, ":from": { S: " " }, ":to": { S: "~" } };
  return { TableName, KeyConditionExpression: "pk = :p AND sk BETWEEN :from AND :to", ExpressionAttributeValues };
}
