import { scan } from "../../../infra/operator/check-table/check.ts";
import { type Family, familyOf } from "../../../lib/table/families.ts";

// Finds what the table still has of a person.

/** What becomes of the items of a family when an account is erased. */
export type Fate =
  /** They name no person. */
  | "of nobody"
  /** They end with the account. */
  | "end with it"
  /** The job of the erasure takes the person out of them. */
  | "lose the person"
  /** They hold the account's id, or hashes, until they expire or their work is done. */
  | "expire"
  /** They hold the account's id where it decided or made something for the team. */
  | "keep the id";

/** Every family, so that nobody forgets a new one. docs/sign-in.md#deleting-an-account says it in words. */
export const fates: Record<Family, Fate> = {
  USER: "lose the person",
  USERS: "end with it",
  USER_COUNT: "of nobody",
  PEOPLE: "end with it",
  CREDENTIALS: "end with it",
  API_KEYS: "end with it",
  KEY_USES: "lose the person",
  TWO_FACTOR: "end with it",
  EMAIL: "end with it",
  IDENTITY: "end with it",
  USERNAME: "end with it",
  // The row of a reader of new posts.
  SITE: "end with it",
  MODEL: "of nobody",
  CATALOGUE: "of nobody",
  BOARD_URL: "of nobody",
  ROADMAP_URL: "of nobody",
  TAG_NAME: "of nobody",
  // The author and the voters; who wrote a response, or the post for its author, keeps the id.
  POSTS: "keep the id",
  // The voter; who voted for another person keeps the id.
  VOTES: "keep the id",
  // The author of a duplicate; who merged it, or voted for another person, keeps the id.
  MERGED: "keep the id",
  // The author; who edited a comment or changed a status keeps the id.
  ACTIVITY: "keep the id",
  NOTES: "keep the id",
  HELD: "lose the person",
  // Who did it; the event of the erasure has the account's id.
  EVENTS: "expire",
  // Who changed something, and whose it was.
  AUDIT: "expire",
  NEWS: "expire",
  SUBSCRIPTIONS: "lose the person",
  UNSUBSCRIBE: "end with it",
  LIST: "of nobody",
  COUNTS: "of nobody",
  WORDS: "of nobody",
  DERIVED: "of nobody",
  TOP: "of nobody",
  TRENDING: "of nobody",
  DELETED: "of nobody",
  // `send` drops the mails of an erased account.
  OUTBOX: "lose the person",
  // Jobs for one reader end without a mail.
  NOTICES: "expire",
  // The address is sealed by the token.
  MAIL_TOKEN: "expire",
  // By a hash of the address.
  SIGN_IN_CODE: "end with it",
  RENAMES: "expire",
  MERGES: "of nobody",
  // The authors of most posts, whom the erasure takes out.
  FIGURES: "lose the person",
  COUNTING: "of nobody",
  ERASURES: "lose the person",
  ERASED: "keep the id",
  // The job says after which account it continues.
  EXPORTS: "expire",
  PROVIDERS: "of nobody",
  PROVIDER_SECRETS: "of nobody",
  SSO_SECRET: "of nobody",
  // By a hash of a token.
  SSO_USES: "expire",
  WEBHOOKS: "keep the id",
  WEBHOOK_SECRETS: "of nobody",
  // Of the event that an account was made, whose id is the id of the account.
  DELIVERIES: "expire",
  DUE: "expire",
  // By a hash of the address, or by the account's id.
  RATE: "expire",
  IDEMPOTENCY: "expire",
  IMPORTS: "of nobody",
  IMPORTED: "keep the id",
  OLD_SLUG: "of nobody",
  FENCE: "of nobody",
  TOP_COUNTS: "of nobody",
  TRENDING_COUNTS: "of nobody",
};

/** A text as it may stand in an item: in lower case, without accents, in base64, in a url, escaped. */
function formsOf(text: string): string[] {
  const plain = [text.normalize("NFC"), text.normalize("NFD"), text.normalize("NFKD").replace(/\p{M}/gu, "")];
  const encoded = plain.flatMap((form) => [
    form,
    encodeURIComponent(form),
    [...form].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    Buffer.from(form).toString("hex"),
    ...inBase64(form),
  ]);
  return [...new Set(encoded.map((form) => form.toLowerCase()))];
}

/** A text in base64, wherever it begins in what is encoded: without its first and last characters. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((offset) =>
    Buffer.from(`${"x".repeat(offset)}${text}`)
      .toString("base64url")
      .slice(offset === 0 ? 0 : 4, -4),
  );
}

/** Every text and number in an item, names of attributes too: also of sets, which JSON leaves empty, and of bytes. */
function* textsIn(value: unknown): Generator<string, void, undefined> {
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value);
    yield bytes.toString("latin1");
    yield bytes.toString("hex");
  } else if (Array.isArray(value) || value instanceof Set) for (const each of value) yield* textsIn(each);
  else if (value !== null && typeof value === "object") yield* textsIn(Object.entries(value).flat());
  else yield String(value);
}

function plainly(text: string): string {
  return text.replaceAll("+", "-").replaceAll("/", "_").toLowerCase();
}

type Person = { userId: string; texts: string[] };

/** The items that hold a text of a person in any form, or the id of the account where it should be gone. */
export async function tracesOf(people: Person[]): Promise<string[]> {
  return tracesIn(await scan(), people);
}

/** The same, among these items. */
export function tracesIn(items: readonly { pk?: unknown }[], people: readonly Person[]): string[] {
  const texts = items.map((item) => plainly([...textsIn(item)].join("\n")));
  // Most people are found nowhere: one search in one text says so.
  const all = texts.join("\n");
  const withoutId = texts.filter((_, at) => !mayKeepId(items[at]));
  const allWithoutId = withoutId.join("\n");
  return people.flatMap(({ userId, texts: own }) => {
    const forms = own.flatMap(formsOf).map(plainly);
    const found = [...new Set(forms)].filter((form) => all.includes(form));
    return [
      ...texts.filter((text) => found.some((form) => text.includes(form))),
      ...(allWithoutId.includes(userId) ? withoutId.filter((text) => text.includes(userId)) : []),
    ];
  });
}

function mayKeepId(item: { pk?: unknown } | undefined): boolean {
  const fate = fates[familyOf(String(item?.pk)) as Family];
  return fate === "expire" || fate === "keep the id";
}
