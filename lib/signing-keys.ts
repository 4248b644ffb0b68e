import { createHash } from "node:crypto";
import { errors } from "jose";
import { settings } from "./settings.ts";

/** A key that signs tokens, and the name by which a token says that it was signed with it. */
export type SigningKey = { kid: string; secret: Uint8Array };

const fromEnvironment = (): SigningKey => {
  const { signingSecret } = settings();
  if (!signingSecret) throw new Error("No signing secret: set SIGNING_SECRET or SIGNING_SECRET_ARN");
  return {
    kid: createHash("sha256").update(signingSecret).digest("hex").slice(0, 16),
    secret: new TextEncoder().encode(signingSecret),
  };
};

/** The key that signs new tokens. */
export const currentKey = async (): Promise<SigningKey> => fromEnvironment();

/** The secret that a token names; throws a JOSE error when there is none of that name. */
export const keyOf = async (kid: string | undefined): Promise<Uint8Array> => {
  const key = await currentKey();
  if (key.kid !== kid) throw new errors.JWKSNoMatchingKey();
  return key.secret;
};
