import {
  GetSecretValueCommand,
  type GetSecretValueResponse,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { settings } from "./settings.ts";
import type { KeyRing, SigningKey } from "./signing-keys.ts";
import { storeBudgetLeft } from "./store-budget.ts";

// HS256 wants at least as many bytes as its hash has.
const MIN_SECRET_LENGTH = 32;

let client: SecretsManagerClient | undefined;

/** The signing keys in Secrets Manager, `kid` being the version: the current one and, after a rotation, the one before. */
export const keyRing = async (arn: string): Promise<KeyRing> => {
  const [current, previous] = await Promise.all([
    secretAt(arn, "AWSCURRENT"),
    secretAt(arn, "AWSPREVIOUS").catch((error: unknown) => {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }),
  ]);
  return previous ? [keyFrom(current), keyFrom(previous)] : [keyFrom(current)];
};

const secretAt = (arn: string, VersionStage: string): Promise<GetSecretValueResponse> => {
  client ??= makeClient();
  const abortSignal = AbortSignal.timeout(Math.max(1, Math.ceil(storeBudgetLeft())));
  return client.send(new GetSecretValueCommand({ SecretId: arn, VersionStage }), { abortSignal });
};

const keyFrom = ({ VersionId, SecretString }: GetSecretValueResponse): SigningKey => {
  if (!VersionId || !SecretString || SecretString.length < MIN_SECRET_LENGTH) {
    throw new RangeError(`a version of the signing secret has less than ${MIN_SECRET_LENGTH} characters`);
  }
  return { kid: VersionId, secret: new TextEncoder().encode(SecretString) };
};

// Time limits: reliability.md part 1.
const makeClient = (): SecretsManagerClient =>
  new SecretsManagerClient({
    region: settings().region,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
  });
