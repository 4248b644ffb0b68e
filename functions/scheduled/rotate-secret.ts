import { addVersion, makeCurrent } from "../../lib/auth/secrets.ts";

export type RotationStep = {
  Step: "createSecret" | "setSecret" | "testSecret" | "finishSecret";
  SecretId: string;
  /** The id of the new version. */
  ClientRequestToken: string;
};

/** Rotates the signing secret: adds a random version, then makes it current. lib/auth/signing-keys.ts finds it. */
export async function handler({ Step, SecretId, ClientRequestToken }: RotationStep): Promise<void> {
  if (Step === "createSecret") await addVersion(SecretId, ClientRequestToken);
  if (Step === "finishSecret") await makeCurrent(SecretId, ClientRequestToken);
}
