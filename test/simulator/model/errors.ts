/** An error that the store answers with: its name as the SDK knows it, its status, and further members of its body. */
export class StoreError extends Error {
  readonly type: string;
  readonly status: number;
  readonly fields: Record<string, unknown>;

  constructor(type: string, message: string, fields: Record<string, unknown> = {}, status = 400) {
    super(message);
    this.type = type;
    this.status = status;
    this.fields = fields;
  }

  body(): Record<string, unknown> {
    return { __type: `com.amazonaws.dynamodb.v20120810#${this.type}`, message: this.message, ...this.fields };
  }
}

export function invalid(message: string): StoreError {
  return new StoreError("ValidationException", message);
}
