import { StoreError } from "../model/errors.ts";
import { throttled } from "../model/operations/work.ts";
import type { WireAnswer } from "../scheduler/wire.ts";

const answer = (status: number, body: string, type = "application/x-amz-json-1.0"): WireAnswer => ({
  status,
  headers: { "content-type": type, "content-length": String(Buffer.byteLength(body)) },
  body,
});

/** The answer that carries what an operation returned. */
export const success = (body: object): WireAnswer => answer(200, JSON.stringify(body));

/** The answer that carries an error. */
export const failure = (error: StoreError): WireAnswer => answer(error.status, JSON.stringify(error.body()));

/** Answers that have nothing to do with what was asked. */
export const internalError = (): WireAnswer =>
  failure(new StoreError("InternalServerError", "Internal server error", {}, 500));

export const throttling = (): WireAnswer => failure(throttled());

export const inProgress = (): WireAnswer =>
  failure(
    new StoreError(
      "TransactionInProgressException",
      "The transaction with the given request token is already in progress",
    ),
  );

export const unavailable = (): WireAnswer =>
  answer(503, "<html><body><h1>503 Service Unavailable</h1></body></html>", "text/html");

/** The first half of an answer's body, with the length of what is there. */
export const garbled = ({ status, body }: WireAnswer): WireAnswer =>
  answer(status, body.slice(0, Math.floor(body.length / 2)) || "{");
