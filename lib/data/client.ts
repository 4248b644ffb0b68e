import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { Unavailable } from "../runtime/errors.ts";
import { settings } from "../runtime/settings.ts";
import { countCall, onStoreClock, storeBudgetLeft } from "../runtime/store-budget.ts";

/** DynamoDB throttles, fails or does not answer within the budget of the request: answered as a 503. */
export class StoreUnavailable extends Unavailable {
  override readonly name = "StoreUnavailable";
}

let documents: DynamoDBDocumentClient | undefined;

/** The one document client of this process, made on first use. Time limits: docs/reliability.md#facts-that-shape-the-code. */
export const documentClient = (): DynamoDBDocumentClient => {
  documents ??= DynamoDBDocumentClient.from(makeClient(), { marshallOptions: { removeUndefinedValues: true } });
  return documents;
};

/** Drops the client; the next use makes one from the settings of that moment. For tests. */
export const forgetClient = (): void => {
  documents?.destroy();
  documents = undefined;
};

const makeClient = (): DynamoDBClient => {
  const { region, dynamoEndpoint } = settings();
  return new DynamoDBClient({
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
};

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
