import { setFields, stillHas } from "../table/changes.ts";
import { key } from "../table/keys.ts";
import type { Part } from "../table/parts.ts";
import { transact } from "../table/transactions.ts";
import { mailPart } from "./outbox.ts";
import { roleParts, type UserWithKeys } from "./users.ts";

/** Whether an account may become the owner: a stranger may have an address that nobody confirmed. */
export function mayOwn({ role, isVerified }: UserWithKeys, canConfirm: boolean): boolean {
  return role !== "suspended" && (isVerified === true || !canConfirm);
}

function named(whose: string, parts: Record<string, Part>): Record<string, Part> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [`${whose} ${name}`, part]));
}

/** The mail to an account; none to an address that may be a stranger's. */
function toldPart({ userId, email, isVerified }: UserWithKeys, template: "site-given" | "site-got") {
  return isVerified === true && mailPart({ to: email, userId, template });
}

/**
 * Makes another account the owner, and the owner a moderator, both as they were read, in one transaction: there is one
 * owner at every moment. The API keys of both end; with `endsSessions` the sessions of the new owner too. With
 * `sendsMail` both are told by mail, as far as their addresses are confirmed.
 */
export async function handOver(
  owner: UserWithKeys,
  next: UserWithKeys,
  { endsSessions = false, sendsMail = false } = {},
): Promise<"handed over" | "changed meanwhile"> {
  const outcome = await transact<string>({
    site: setFields(key.site(), { ownerId: next.userId }, stillHas({ ownerId: owner.userId })),
    ...named("owner", roleParts(owner, "moderator", false)),
    ...named("next", roleParts(next, "owner", endsSessions)),
    toldOwner: sendsMail && toldPart(owner, "site-given"),
    toldNext: sendsMail && toldPart(next, "site-got"),
  });
  return outcome.done ? "handed over" : "changed meanwhile";
}
