/** A key that signs tokens; tokens name it in their `kid`. */
export type SigningKey = { kid: string; secret: Uint8Array };

/** The keys that verify tokens; the first one signs new tokens. */
export type KeyRing = readonly [SigningKey, ...SigningKey[]];
