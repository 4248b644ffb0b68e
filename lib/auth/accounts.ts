import { randomInt } from "node:crypto";
import { newNames } from "../accounts/new-names.ts";
import { register } from "../accounts/new-users.ts";
import type { Role } from "../accounts/roles.ts";
import * as users from "../accounts/users.ts";
import { NEW_EVENT } from "../events/events.ts";
import { environment } from "../runtime/environment.ts";
import type { TableAccess } from "../table/access.ts";
import { replanned } from "../table/retries.ts";
import { idAt, newId } from "../values/ids.ts";
import type { Language } from "../values/languages.ts";
import { latinLetters } from "../values/text.ts";
import * as passwords from "./passwords.ts";

const READABLE_LENGTH = 21;
const RANDOM_LENGTH = 8;
const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

function readable(text: string): string {
  return latinLetters(text)
    .replace(/[^a-z0-9._-]/g, "")
    .slice(0, READABLE_LENGTH);
}

function randomPart(): string {
  return Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(36)]).join("");
}

const NEUTRAL_STEM = "user";

/** The name of who signs up by a client that asks for none, as the contract says: from the address. */
export function nameFrom(email: string): string {
  return readable(email.slice(0, email.lastIndexOf("@"))) || NEUTRAL_STEM;
}

type OfNew = { language?: Language | undefined; at?: number };

/**
 * A new account (docs/contract.md#accounts): its username is a readable part and eight random characters. Without a
 * name it gets one that says nothing of the person.
 */
export function newAccount(
  email: string,
  name: string | undefined,
  role: Role,
  { language, at }: OfNew = {},
): users.UserRecord {
  const stem = readable(name ?? "") || NEUTRAL_STEM;
  const named = { name: newNames[language ?? environment().MAIL_LANGUAGE], isUnnamed: true } as const;
  return {
    userId: at === undefined ? newId() : idAt(at),
    ...(name === undefined ? named : { name }),
    username: `${stem}_${randomPart()}`,
    email,
    role,
    tokenVersion: 1,
    language,
  };
}

export const NEW_ACCOUNT = {
  USER: ["put"],
  USERS: ["put"],
  USER_COUNT: ["update"],
  CREDENTIALS: ["put"],
  EMAIL: ["put"],
  USERNAME: ["put"],
  PEOPLE: ["put"],
  ...NEW_EVENT,
} as const satisfies TableAccess;

/** Saves a new account; if its username is taken, tries the next one that `make` returns. */
export async function openAccount<Outcome extends string>(
  make: () => users.UserRecord,
  save: (user: users.UserRecord) => Promise<Outcome | "username taken">,
): Promise<{ user: users.UserRecord; outcome: Outcome }> {
  for (;;) {
    const user = make();
    const outcome = await save(user);
    if (outcome !== "username taken") return { user, outcome: outcome as Outcome };
  }
}

/**
 * A person for whom the owner asks. `by` is the id of the owner. `onOpening` gets a new account before it is saved.
 */
type Asked = {
  email: string;
  name: string | undefined;
  by: string;
  invitation?: { role: Role; language: Language | undefined };
  onOpening?: (user: users.UserRecord) => void;
};

/**
 * Finds the account with an address, or opens one without a password, also while signup is closed. With `invitation` a
 * new account has this role and language, and its holder gets a mail.
 */
export function findOrOpen(found: users.UserRecord | undefined, { email, name, by, invitation, onOpening }: Asked) {
  const role = invitation?.role ?? "member";
  const invitedAt = invitation && Date.now();
  const read = () => users.findByEmail(email);
  return replanned(
    found,
    read,
    async (user): Promise<{ user: users.UserRecord; created: boolean } | "changed meanwhile"> => {
      if (user) return { user, created: false };
      const opened = await openAccount(
        () => ({ ...newAccount(email, name, role, { language: invitation?.language }), invitedAt }),
        (account) => {
          onOpening?.(account);
          const mail = invitation && "invitation";
          return register(account, passwords.hashOfNone, { mail, evenIfClosed: true, by });
        },
      );
      // If another call took the address first, its account is found.
      return opened.outcome === "registered" ? { user: opened.user, created: true } : "changed meanwhile";
    },
  );
}
