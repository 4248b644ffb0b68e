import * as z from "zod/mini";
import { accountParts } from "../../lib/accounts/new-users.ts";
import * as users from "../../lib/accounts/users.ts";
import { newAccount, openAccount } from "../../lib/auth/accounts.ts";
import * as passwords from "../../lib/auth/passwords.ts";
import { bytesOf, entryKey, entryPart, type Import } from "../../lib/moving/journal.ts";
import type { Work } from "../../lib/moving/work.ts";
import { forEach } from "../../lib/runtime/for-each.ts";
import { idIn, key } from "../../lib/table/keys.ts";
import { getMany } from "../../lib/table/reads.ts";
import { transact } from "../../lib/table/transactions.ts";
import { namedIdAt } from "../../lib/values/ids.ts";
import type { Staging } from "./staging.ts";

// An imported account has no password and no confirmed address: the reader of the mails to the address claims it by
// a sign-in mail or a reset. No role comes with it: the owner appoints the team. Who is blocked stays suspended.

type Person = { email: string; name: string | null; at: number | null; blocked: number };

const PAGE = 100;
const AT_A_TIME = 8;

const Claim = z.object({ pk: z.string(), userId: z.string() });

async function accountsWith(emails: string[]): Promise<Map<string, string>> {
  const claims = await getMany(emails.map(key.email), Claim);
  return new Map(claims.map(({ pk, userId }) => [idIn(pk), userId]));
}

/** Gives each person of the source an account: the one with the address, or a new one. Returns how many are new. */
export async function writePeople(
  staging: Staging,
  { importId, startedAt }: Import,
  work: Work,
  onDone: (rows: number) => void,
): Promise<number> {
  let opened = 0;
  for (let after = ""; ; ) {
    const page = staging.all<Person>(
      `SELECT email, name, at, blocked FROM people WHERE email > ? ORDER BY email LIMIT ${PAGE}`,
      after,
    );
    const known = await work(() => accountsWith(page.map(({ email }) => email)));
    await forEach(page, AT_A_TIME, async (person) => {
      const userId = await accountOf(person, known.get(person.email));
      staging.run("UPDATE people SET userId = ? WHERE email = ?", userId, person.email);
    });
    onDone(page.length);
    after = page.at(-1)?.email ?? "";
    if (page.length < PAGE) return opened;
  }

  /** The account with the address, the one that had it in an earlier run, or a new one. */
  async function accountOf(person: Person, known: string | undefined): Promise<string> {
    const ownId = namedIdAt(person.at ?? startedAt, `${importId} account ${person.email}`);
    // It has another address by now, or it was deleted.
    const before = staging.isDone(bytesOf(ownId)) ? ownId : staging.foundAs(ownId);
    if (known === undefined) return before ?? open(person, ownId);
    if (before === undefined) await work(() => noteFound(importId, ownId, known));
    return known;
  }

  function open({ email, name, blocked }: Person, userId: string): Promise<string> {
    return work(async () => {
      const role = blocked ? "suspended" : "member";
      const { outcome } = await openAccount(
        () => ({ ...newAccount(email, name ?? undefined, role), userId }),
        (account) => register(account, importId),
      );
      if (outcome === "registered") {
        opened++;
        return userId;
      }
      // The person has signed up meanwhile.
      const found = await users.idOf(email);
      if (found !== undefined) await noteFound(importId, userId, found);
      return found ?? userId;
    });
  }
}

/** Notes that a person had an account: `ownId` is the one that the import would have made. */
async function noteFound(importId: string, ownId: string, userId: string): Promise<void> {
  await transact(entryPart(importId, entryKey("found", ownId), { ids: [userId] }));
}

async function register(
  account: users.UserRecord,
  importId: string,
): Promise<"registered" | "email taken" | "username taken"> {
  const outcome = await transact<string>({
    ...accountParts(account, passwords.hashOfNone, { evenIfClosed: true, event: false }),
    ...entryPart(importId, entryKey("account", account.userId)),
  });
  if (outcome.done) return "registered";
  return outcome.failed.username ? "username taken" : "email taken";
}

// Names of this many accounts are kept in memory, for this long, in milliseconds. A rename or an erasure looks again
// after 15 seconds for names that were written meanwhile (lib/cleanup/renames.ts): a kept name and the work of five
// seconds with it come before that.
const KEPT = 50_000;
export const KEPT_MS = 5000;

/** Finds what posts, comments and votes show of accounts, which have names in a source: addresses, or their ids. */
export class Names {
  readonly #userIdOf: (name: string) => string;
  readonly #kept = new Map<string, { shown: users.Shown; until: number }>();

  constructor(userIdOf: (name: string) => string) {
    this.#userIdOf = userIdOf;
  }

  /** What is shown of the accounts with these names in the source; accounts that are gone are left out. */
  async of(names: string[]): Promise<Map<string, users.Shown>> {
    const now = performance.now();
    const shown = new Map<string, users.Shown>();
    const missing = new Map<string, string>();
    for (const name of new Set(names)) {
      const kept = this.#kept.get(name);
      if (kept && now < kept.until) shown.set(name, kept.shown);
      else missing.set(this.#userIdOf(name), name);
    }
    const found = await getMany([...missing.keys()].map(key.user), users.UserItem);
    if (this.#kept.size > KEPT) this.#kept.clear();
    for (const user of found) {
      const name = missing.get(user.userId) as string;
      shown.set(name, users.shownOf(user));
      this.#kept.set(name, { shown: users.shownOf(user), until: now + KEPT_MS });
    }
    return shown;
  }
}

/** The account that a person of a staged source has here. */
export function userIdIn(staging: Staging, email: string): string {
  const [person] = staging.all<{ userId: string }>("SELECT userId FROM people WHERE email = ?", email);
  return person?.userId ?? "";
}
