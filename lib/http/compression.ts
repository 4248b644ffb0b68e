import type { MiddlewareObj } from "@middy/core";
import httpContentEncoding from "@middy/http-content-encoding";
import httpContentNegotiation from "@middy/http-content-negotiation";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import type { Answer } from "./answers.ts";

type Middleware = MiddlewareObj<APIGatewayProxyEventV2, Answer>;

// A smaller answer fits into one packet.
const MIN_BYTES = 1024;

const negotiation = httpContentNegotiation({
  parseCharsets: false,
  parseLanguages: false,
  parseMediaTypes: false,
  // Every client accepts it. At the same cost Brotli is not smaller.
  availableEncodings: ["gzip"],
  failOnMismatch: false,
}) as Middleware;

const encoding = httpContentEncoding() as Required<Middleware>;

const largeOnly: Middleware = {
  after: (request) => {
    if (Buffer.byteLength(request.response?.body ?? "") > MIN_BYTES) return encoding.after(request);
  },
};

/** Middleware: compresses answers of more than 1 KB, but no errors, if the client accepts that. */
export const compression = [negotiation, largeOnly];
