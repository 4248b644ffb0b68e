/** A key that signs tokens, and the name by which a token says that it was signed with it. */
export type SigningKey = { kid: string; secret: Uint8Array };

/** The keys whose tokens are good, the one that signs new tokens first. */
export type KeyRing = readonly [SigningKey, ...SigningKey[]];
