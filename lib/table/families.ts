/**
 * The families of keys (the word before the first `#` of a partition key), each with the pattern of its partition keys,
 * which becomes `dynamodb:LeadingKeys` in IAM policies.
 */
export const partitions = {
  USER: "USER#*",
  USERS: "USERS",
  USER_COUNT: "USER_COUNT",
  PEOPLE: "PEOPLE",
  CREDENTIALS: "CREDENTIALS#*",
  API_KEYS: "API_KEYS#*",
  KEY_USES: "KEY_USES#*",
  TWO_FACTOR: "TWO_FACTOR#*",
  EMAIL: "EMAIL#*",
  IDENTITY: "IDENTITY#*",
  USERNAME: "USERNAME#*",
  SITE: "SITE",
  MODEL: "MODEL",
  CATALOGUE: "CATALOGUE",
  BOARD_URL: "BOARD_URL#*",
  ROADMAP_URL: "ROADMAP_URL#*",
  TAG_NAME: "TAG_NAME#*",
  POSTS: "POSTS",
  VOTES: "VOTES#*",
  MERGED: "MERGED#*",
  ACTIVITY: "ACTIVITY#*",
  NOTES: "NOTES#*",
  HELD: "HELD",
  EVENTS: "EVENTS",
  AUDIT: "AUDIT",
  NEWS: "NEWS",
  SUBSCRIPTIONS: "SUBSCRIPTIONS#*",
  UNSUBSCRIBE: "UNSUBSCRIBE#*",
  LIST: "LIST#*",
  COUNTS: "COUNTS#*",
  WORDS: "WORDS#*",
  DERIVED: "DERIVED#*",
  TOP: "TOP#*",
  TRENDING: "TRENDING#*",
  DELETED: "DELETED",
  OUTBOX: "OUTBOX",
  NOTICES: "NOTICES",
  MAIL_TOKEN: "MAIL_TOKEN#*",
  SIGN_IN_CODE: "SIGN_IN_CODE#*",
  RENAMES: "RENAMES",
  ERASURES: "ERASURES",
  MERGES: "MERGES",
  FIGURES: "FIGURES",
  COUNTING: "COUNTING",
  ERASED: "ERASED",
  EXPORTS: "EXPORTS",
  PROVIDERS: "PROVIDERS",
  PROVIDER_SECRETS: "PROVIDER_SECRETS",
  SSO_SECRET: "SSO_SECRET",
  SSO_USES: "SSO_USES#*",
  WEBHOOKS: "WEBHOOKS",
  WEBHOOK_SECRETS: "WEBHOOK_SECRETS",
  DELIVERIES: "DELIVERIES#*",
  DUE: "DUE",
  RATE: "RATE#*",
  IDEMPOTENCY: "IDEMPOTENCY#*",
  IMPORTS: "IMPORTS",
  IMPORTED: "IMPORTED#*",
  OLD_SLUG: "OLD_SLUG#*",
  FENCE: "FENCE#*",
  // Only tables before version 5 have them.
  TOP_COUNTS: "TOP_COUNTS#*",
  TRENDING_COUNTS: "TRENDING_COUNTS#*",
} as const;
export type Family = keyof typeof partitions;

/** The families of rows by rank: by votes, and by trending time. */
export const rankings = ["TOP", "TRENDING"] as const;
export type Ranking = (typeof rankings)[number];

/** The family of a partition key. */
export function familyOf(pk: string): string {
  return pk.split("#", 1)[0] as string;
}
