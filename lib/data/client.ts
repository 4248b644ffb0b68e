import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { Unavailable } from "../runtime/errors.ts";
import { fromSettings } from "../runtime/settings.ts";
import { countCall, onStoreClock, storeBudgetLeft } from "../runtime/store-budget.ts";

/** DynamoDB throttles, fails or does not answer within the budget of the request: answered as a 503. */
export class StoreUnavailable extends Unavailable {
  override readonly name = "StoreUnavailable";
}

/** The one document client of this process, made on first use. Time limits: docs/reliability.md#facts-that-shape-the-code. */
export const documentClient = fromSettings(({ region, dynamoEndpoint }) => {
  const client = new DynamoDBClient({
    region,
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 1000,
      requestTimeout: 2000,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: 256 },
      httpsAgent: { keepAlive: true, maxSockets: 256 },
    },
    // A local engine accepts any key pair; the real table is reached with the function's own role.
    ...(dynamoEndpoint
      ? { endpoint: dynamoEndpoint, credentials: { accessKeyId: "local", secretAccessKey: "local" } }
      : {}),
  });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
});

const TEMPORARY_ERRORS = new Set([
  "ThrottlingException",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
  "TransactionInProgressException",
  // A single write met a transaction on the same item.
  "TransactionConflictException",
  "InternalServerError",
  "ServiceUnavailable",
]);

type SdkError = Error & { $metadata?: { httpStatusCode?: number }; code?: string };

const isOutage = ({ name, code, $metadata: { httpStatusCode: status } = {} }: SdkError): boolean =>
  TEMPORARY_ERRORS.has(name) ||
  name === "TimeoutError" ||
  name === "AbortError" ||
  // Network errors have a code, DynamoDB's own have none: refused, reset, unreachable, cut in the middle of an answer.
  code !== undefined ||
  // Throttled, failed on the way, or a success whose body cannot be read.
  (status !== undefined && (status >= 500 || status === 429 || status < 300));

/** Sends one command within the budget of the request. Throws StoreUnavailable for an outage, the SDK's error for all else. */
export const send = <T>(call: (client: DynamoDBDocumentClient, abortSignal: AbortSignal) => Promise<T>): Promise<T> =>
  onStoreClock(async () => {
    const left = storeBudgetLeft();
    if (left <= 0) throw new StoreUnavailable("the request has used up its store budget");
    countCall();
    try {
      return await call(documentClient(), AbortSignal.timeout(Math.ceil(left)));
    } catch (error) {
      if (isOutage(error as SdkError)) throw new StoreUnavailable((error as SdkError).name, { cause: error });
      throw error;
    }
  });
