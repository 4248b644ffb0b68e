import type { CreateTableCommandInput } from "@aws-sdk/client-dynamodb";

export const tableShape = {
  AttributeDefinitions: [
    { AttributeName: "pk", AttributeType: "S" },
    { AttributeName: "sk", AttributeType: "S" },
  ],
  KeySchema: [
    { AttributeName: "pk", KeyType: "HASH" },
    { AttributeName: "sk", KeyType: "RANGE" },
  ],
  BillingMode: "PAY_PER_REQUEST",
  StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" },
} as const satisfies Omit<CreateTableCommandInput, "TableName">;

/** The attribute with the time after which DynamoDB may delete an item, in seconds since 1970. */
export const EXPIRY_ATTRIBUTE = "expiresAt";

/** An item that expires; DynamoDB deletes it late. */
export function isOver(item: { [EXPIRY_ATTRIBUTE]: number }): boolean {
  return item[EXPIRY_ATTRIBUTE] <= nowInSeconds();
}

/** The time now, in seconds since 1970. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
