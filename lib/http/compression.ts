import type { MiddlewareObj } from "@middy/core";
import httpContentEncoding from "@middy/http-content-encoding";
import httpContentNegotiation from "@middy/http-content-negotiation";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { Answer } from "./answers.ts";

type Middleware = MiddlewareObj<APIGatewayProxyEventV2, Answer>;

// Less fits into one packet as it is.
const MIN_BYTES = 1024;

const negotiation = httpContentNegotiation({
  parseCharsets: false,
  parseLanguages: false,
  parseMediaTypes: false,
  // Every client that takes compressed answers takes it. Brotli is no smaller where it costs as little: docs/performance.md.
  availableEncodings: ["gzip"],
  failOnMismatch: false,
}) as Middleware;

const encoding = httpContentEncoding() as Required<Middleware>;

const largeOnly: Middleware = {
  after: (request) => {
    if (Buffer.byteLength(request.response?.body ?? "") > MIN_BYTES) return encoding.after(request);
  },
};

/** Middleware: answers of more than 1 KB travel compressed if the client accepts that; errors never do. */
export const compression = [negotiation, largeOnly];
