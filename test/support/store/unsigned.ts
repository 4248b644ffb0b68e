import { documentClient } from "../../../lib/table/client.ts";
import { FIXED_SIGNATURE } from "./raw-calls.ts";

// A signature takes a fifth of the processor time of a call, and local engines do not check it: here each call has the
// same one. The service that test/infra starts as a process signs as in the cloud.

/** Sends what the client at hand sends without a signature of its own. */
export function withoutSignatures(): void {
  const stack = documentClient().middlewareStack;
  stack.remove("httpSigningMiddleware");
  stack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> };
      Object.assign(headers, FIXED_SIGNATURE);
      return next(args);
    },
    { step: "finalizeRequest", name: "fixedSignature" },
  );
}
