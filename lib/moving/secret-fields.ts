const names = ["role", "confirmed", "passwordHash", "twoFactor", "identities", "requireTwoFactor"] as const;

export type SecretField = (typeof names)[number];

/** The fields of accounts, and of the site, that only an export with credentials has. */
export const secretFields: ReadonlySet<string> = new Set<SecretField>(names);
