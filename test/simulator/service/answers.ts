import { StoreError } from "../model/errors.ts";
import { throttled } from "../model/operations/work.ts";
import type { WireAnswer } from "../scheduler/wire.ts";

function answer(status: number, body: string, type = "application/x-amz-json-1.0"): WireAnswer {
  return { status, headers: { "content-type": type, "content-length": String(Buffer.byteLength(body)) }, body };
}

export function success(body: object): WireAnswer {
  return answer(200, JSON.stringify(body));
}

export function failure(error: StoreError): WireAnswer {
  return answer(error.status, JSON.stringify(error.body()));
}

export function internalError(): WireAnswer {
  return failure(new StoreError("InternalServerError", "Internal server error", {}, 500));
}

export function throttling(): WireAnswer {
  return failure(throttled());
}

export function unavailable(): WireAnswer {
  return answer(503, "<html><body><h1>503 Service Unavailable</h1></body></html>", "text/html");
}

export function garbled({ status, body }: WireAnswer): WireAnswer {
  return answer(status, body.slice(0, Math.floor(body.length / 2)) || "{");
}
