import { type $Command, DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import {
  DynamoDBDocumentClient,
  type DynamoDBDocumentClientResolvedConfig,
  type ServiceInputTypes,
  type ServiceOutputTypes,
} from "@aws-sdk/lib-dynamodb";
import { endpointOf, signerFor } from "../runtime/aws.ts";
import { fromEnvironment } from "../runtime/environment.ts";
import { Unavailable } from "../runtime/errors.ts";
import { httpHandler } from "../runtime/http-handler.ts";
import { backOff, count, onStoreClock, storeBudgetLeft } from "../runtime/store-budget.ts";

/** DynamoDB throttles, fails or does not answer within the store budget: answered as a 503. */
export class StoreUnavailable extends Unavailable {
  override readonly name = "StoreUnavailable";
}

// The SDK's defaults, written out: so the first call does not look for configuration files.
const DEFAULTS = {
  accountIdEndpointMode: "preferred",
  authSchemePreference: [],
  defaultsMode: "standard",
  endpointDiscoveryEnabled: false,
  retryMode: "standard",
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  userAgentAppId: () => Promise.resolve(undefined),
} satisfies DynamoDBClientConfig;

// A log for which we have no logger, and headers that DynamoDB does not need.
const UNUSED_MIDDLEWARE = ["loggerMiddleware", "getUserAgentMiddleware", "recursionDetectionMiddleware"];

// Takes the place of the SDK's retries: the SDK stops them once many calls have failed, and does not report which
// attempts went unanswered. `send` retries.
const RETRIES = { name: "retryMiddleware", step: "finalizeRequest", priority: "high" } as const;

// How long a call to the store may take, in milliseconds.
const CALL_MS = 2000;

/** The document client of this process. */
export const documentClient = fromEnvironment(({ AWS_REGION, DYNAMODB_ENDPOINT }) => {
  const client: DynamoDBClient = new DynamoDBClient({
    ...DEFAULTS,
    region: AWS_REGION,
    signer: signerFor("dynamodb", AWS_REGION, () => client.config.credentials()),
    endpointProvider: endpointOf("dynamodb"),
    maxAttempts: 1,
    requestHandler: httpHandler({ connectionTimeout: 1000, requestTimeout: CALL_MS }),
    // A local engine accepts any key pair; the real table is reached with the function's own role.
    ...(DYNAMODB_ENDPOINT
      ? { endpoint: DYNAMODB_ENDPOINT, credentials: { accessKeyId: "local", secretAccessKey: "local" } }
      : {}),
  });
  for (const name of UNUSED_MIDDLEWARE) client.middlewareStack.remove(name);
  // Signing has its place after it, so it cannot be removed.
  client.middlewareStack.add((next) => next, { ...RETRIES, override: true });
  return DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: readNumber },
  });
});

const INTEGER = /^(-?\d+)(?:\.(\d+))?(?:e\+?(\d+))?$/i;

/** A stored number, exact where it is an integer: a store may write a large one as `9.33E+29`. */
function readNumber(text: string): number | bigint {
  const [, whole = "", fraction = "", exponent = "0"] = INTEGER.exec(text) ?? [];
  const zeros = Number(exponent) - fraction.length;
  const number = Number(text);
  return Number.isSafeInteger(number) || whole === "" || zeros < 0
    ? number
    : BigInt(whole + fraction) * 10n ** BigInt(zeros);
}

// DynamoDB did not carry out the call; it may be sent again.
const THROTTLED = ["ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded"];
const PUT_OFF = new Set([
  ...THROTTLED,
  "TransactionInProgressException",
  // A single write met a transaction on the same item.
  "TransactionConflictException",
]);

const FAILED = new Set(["InternalServerError", "ServiceUnavailable"]);

type SdkError = Error & { $metadata?: { httpStatusCode?: number; clockSkewCorrected?: boolean }; code?: string };

/** Whether a failed attempt was put off (not carried out), unanswered (perhaps carried out) or answered. */
function fateOf({ name, code, $metadata }: SdkError): "put off" | "unanswered" | "answered" {
  const { httpStatusCode: status, clockSkewCorrected } = $metadata ?? {};
  if (PUT_OFF.has(name) || status === 429) return "put off";
  // The SDK has set its clock by this answer: the next attempt has the right time.
  if (name === "InvalidSignatureException" && clockSkewCorrected) return "put off";
  // Only network errors have a code.
  if (code !== undefined || name === "TimeoutError") return "unanswered";
  // DynamoDB failed, or it succeeded and the answer cannot be read.
  if (FAILED.has(name) || (status !== undefined && (status >= 500 || status < 300))) return "unanswered";
  // A refusal that cannot be read: the next attempt gets it again.
  return name === "SyntaxError" || name === "Unknown" ? "put off" : "answered";
}

const ATTEMPTS = 3;

const RETRIES_SAVED_UP = 50;
const throttledRetries = fromEnvironment(() => ({ left: RETRIES_SAVED_UP, at: Date.now() }));

/**
 * Whether this process may send a throttled call again: fifty times, and once more each second. While the table
 * throttles most calls, further attempts would not help, and waiting would cost money (docs/costs.md#the-worst-day).
 */
export function mayRetryThrottled(): boolean {
  const retries = throttledRetries();
  const now = Date.now();
  const earned = Math.max(0, now - retries.at) / 1000;
  Object.assign(retries, { left: Math.min(RETRIES_SAVED_UP, retries.left + earned), at: now });
  if (retries.left < 1) return false;
  retries.left--;
  return true;
}

/**
 * Sends one command within the store budget of the request, up to three times while the store is busy or does not
 * answer. Then throws StoreUnavailable; any other error is the SDK's. Calls `onUnanswered` for each attempt that the
 * store has carried out or may still carry out.
 */
export function send<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
  command: $Command<Input, Output, DynamoDBDocumentClientResolvedConfig, ServiceInputTypes, ServiceOutputTypes>,
  onUnanswered?: () => void,
): Promise<Output> {
  return onStoreClock(async () => {
    for (let attempt = 1; ; attempt++) {
      const left = storeBudgetLeft();
      if (left <= 0) throw new StoreUnavailable("the request has used up its store budget");
      count("calls", 1);
      try {
        return await documentClient().send(command, left < CALL_MS ? { requestTimeout: left } : {});
      } catch (thrown) {
        const error = thrown as SdkError;
        const fate = fateOf(error);
        if (fate === "answered") throw error;
        if (fate === "unanswered") onUnanswered?.();
        const isUseless = THROTTLED.includes(error.name) && !mayRetryThrottled();
        if (attempt === ATTEMPTS || isUseless) throw new StoreUnavailable(error.name, { cause: error });
      }
      await backOff(attempt + 1);
    }
  });
}
