import { randomBytes } from "node:crypto";
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from "@aws-sdk/client-secrets-manager";
import { endpointOf, signerFor } from "../runtime/aws.ts";
import { fromEnvironment } from "../runtime/environment.ts";
import { httpHandler } from "../runtime/http-handler.ts";
import { storeBudgetLeft } from "../runtime/store-budget.ts";

/** A version of a secret; `createdAt` in milliseconds since 1970. */
export type SecretVersion = { id: string; value: string; createdAt: number | undefined };

const ATTEMPTS = 3;

const secretsManager = fromEnvironment(({ AWS_REGION }) => {
  const client: SecretsManagerClient = new SecretsManagerClient({
    region: AWS_REGION,
    signer: signerFor("secretsmanager", AWS_REGION, () => client.config.credentials()),
    endpointProvider: endpointOf("secretsmanager"),
    maxAttempts: ATTEMPTS,
    requestHandler: httpHandler({ connectionTimeout: 1000, requestTimeout: 2000 }),
  });
  return client;
});

/** The version of a secret at a stage, read within the store budget of the request; undefined if there is none. */
export async function versionAt(
  secretId: string,
  stage: "AWSCURRENT" | "AWSPREVIOUS",
): Promise<SecretVersion | undefined> {
  // All attempts together end within the store budget.
  const requestTimeout = Math.max(1, storeBudgetLeft() / ATTEMPTS);
  const command = new GetSecretValueCommand({ SecretId: secretId, VersionStage: stage });
  try {
    const { VersionId = "", SecretString = "", CreatedDate } = await secretsManager().send(command, { requestTimeout });
    return { id: VersionId, value: SecretString, createdAt: CreatedDate?.getTime() };
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Adds a random version of 64 characters to a secret, not current yet. Safe to repeat. */
export async function addVersion(secretId: string, versionId: string): Promise<void> {
  const command = new PutSecretValueCommand({
    SecretId: secretId,
    ClientRequestToken: versionId,
    SecretString: randomBytes(48).toString("base64url"),
    VersionStages: ["AWSPENDING"],
  });
  await secretsManager()
    .send(command)
    .catch((error: unknown) => {
      // An earlier attempt added it; its value stays.
      if (!(error instanceof ResourceExistsException)) throw error;
    });
}

/** Makes a version of a secret current; the current one becomes the previous one. Safe to repeat. */
export async function makeCurrent(secretId: string, versionId: string): Promise<void> {
  const { VersionIdsToStages = {} } = await secretsManager().send(new DescribeSecretCommand({ SecretId: secretId }));
  const current = Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]?.includes("AWSCURRENT"));
  if (current === versionId) return;
  await secretsManager().send(
    new UpdateSecretVersionStageCommand({
      SecretId: secretId,
      VersionStage: "AWSCURRENT",
      MoveToVersionId: versionId,
      RemoveFromVersionId: current,
    }),
  );
}
