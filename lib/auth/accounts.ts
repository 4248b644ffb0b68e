import { randomInt } from "node:crypto";
import type { Role, UserRecord } from "../data/users.ts";
import { idAt, newId } from "../values/ids.ts";

const READABLE_LENGTH = 21;
const RANDOM_LENGTH = 8;
const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

/** What of a name can stand in a username: `[a-z0-9._-]`, accents dropped, at most 21 characters. */
const readable = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, "")
    .slice(0, READABLE_LENGTH);

const randomPart = (): string => Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(36)]).join("");

/** A new account (docs/decisions.md#accounts): its username is made from the name, else from the address, and eight random characters. */
export const newAccount = (email: string, name: string | undefined, role: Role, at?: number): UserRecord => {
  const stem = readable(name ?? email.slice(0, email.lastIndexOf("@"))) || "user";
  return {
    userId: at === undefined ? newId() : idAt(at),
    name: name ?? stem,
    username: `${stem}_${randomPart()}`,
    email,
    role,
    tokenVersion: 1,
  };
};

/** Saves a new account, with another username for as long as somebody has the one that was drawn. */
export const openAccount = async <Outcome extends string>(
  draw: () => UserRecord,
  save: (user: UserRecord) => Promise<Outcome | "username taken">,
): Promise<{ user: UserRecord; outcome: Outcome }> => {
  for (;;) {
    const user = draw();
    const outcome = await save(user);
    if (outcome !== "username taken") return { user, outcome: outcome as Outcome };
  }
};
