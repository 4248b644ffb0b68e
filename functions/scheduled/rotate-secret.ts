import { addVersion, makeCurrent } from "../../lib/auth/secrets.ts";

/** What Secrets Manager asks of a function that rotates a secret, one step after another. */
export type RotationStep = {
  Step: "createSecret" | "setSecret" | "testSecret" | "finishSecret";
  SecretId: string;
  /** The id of the version to be. */
  ClientRequestToken: string;
};

/** Rotates the signing secret: a new version, random, then current. Nobody else has to learn of it: lib/auth/signing-keys.ts does. */
export const handler = async ({ Step, SecretId, ClientRequestToken }: RotationStep): Promise<void> => {
  if (Step === "createSecret") await addVersion(SecretId, ClientRequestToken);
  if (Step === "finishSecret") await makeCurrent(SecretId, ClientRequestToken);
};
