import { documentClient } from "../../../lib/data/client.ts";

// A signature takes a fifth of the processor time of a call, and local engines do not check it: here each call has the same one.
// The service that test/infra starts as a process signs as in the cloud.

const AUTHORIZATION =
  "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0";

/** Sends what the client at hand sends without a signature of its own. */
export const withoutSignatures = (): void => {
  const stack = documentClient().middlewareStack;
  stack.remove("httpSigningMiddleware");
  stack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      Object.assign(headers, { authorization: AUTHORIZATION, "x-amz-date": "20260101T000000Z" });
      return next(args);
    },
    { step: "finalizeRequest", name: "fixedSignature" },
  );
};
