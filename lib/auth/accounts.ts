import { randomInt } from "node:crypto";
import type { Role, UserRecord } from "../accounts/users.ts";
import { NEW_EVENT } from "../events/events.ts";
import type { TableAccess } from "../table/access.ts";
import { idAt, newId } from "../values/ids.ts";
import { latinLetters } from "../values/text.ts";

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

/** A new account (docs/contract.md#accounts): its username is a readable part and eight random characters. */
export function newAccount(email: string, name: string | undefined, role: Role, at?: number): UserRecord {
  const stem = readable(name ?? email.slice(0, email.lastIndexOf("@"))) || "user";
  return {
    userId: at === undefined ? newId() : idAt(at),
    name: name ?? stem,
    username: `${stem}_${randomPart()}`,
    email,
    role,
    tokenVersion: 1,
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
  OUTBOX: ["put"],
  ...NEW_EVENT,
} as const satisfies TableAccess;

/** Saves a new account; if its username is taken, tries the next one that `make` returns. */
export async function openAccount<Outcome extends string>(
  make: () => UserRecord,
  save: (user: UserRecord) => Promise<Outcome | "username taken">,
): Promise<{ user: UserRecord; outcome: Outcome }> {
  for (;;) {
    const user = make();
    const outcome = await save(user);
    if (outcome !== "username taken") return { user, outcome: outcome as Outcome };
  }
}
