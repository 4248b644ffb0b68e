import { AwsJson1_0Protocol } from "@aws-sdk/core/protocols";

// The SDK walks through each request and answer along the schema of the operation. For reads and writes of items,
// DynamoDB's JSON differs from the SDK's objects only in bytes, which it writes in base64. Without that walk a call
// takes a tenth less time, but gets no token by itself (`transact` gives one), and times stay numbers.

// JSON.stringify has turned a buffer into an object before it asks; `this` holds the buffer.
function encodeBytes(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const given = this[name];
  return given instanceof Uint8Array ? Buffer.from(given).toString("base64") : value;
}

function bytesFrom(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, "base64"));
}

function decodeBytes<T extends object>(value: T): T {
  for (const [name, inner] of Object.entries(value)) {
    if (name === "B" && typeof inner === "string") Object.assign(value, { B: bytesFrom(inner) });
    else if (name === "BS" && Array.isArray(inner)) {
      Object.assign(value, { BS: inner.map(bytesFrom) });
    } else if (typeof inner === "object" && inner !== null) decodeBytes(inner);
  }
  return value;
}

function setSerdeContext(): void {}

/** The SDK's protocol with a direct way between its objects and JSON; errors are read as by the SDK. */
export class DirectJsonProtocol extends AwsJson1_0Protocol {
  protected override serializer = jsonSerializer();
  protected override deserializer = {
    setSerdeContext,
    async read(_schema: unknown, bytes: string | Uint8Array) {
      const text = Buffer.from(bytes as Uint8Array).toString();
      const read = JSON.parse(text);
      return /"BS?":/.test(text) ? decodeBytes(read) : read;
    },
  };
}

function jsonSerializer() {
  let text = "";
  return {
    setSerdeContext,
    write(_schema: unknown, value: unknown): void {
      text = JSON.stringify(value, encodeBytes);
    },
    flush: () => text,
  };
}
