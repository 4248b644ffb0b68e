import { type GateMarks, gateMarks } from "../../../lib/accounts/gate.ts";
import { personKeys } from "../../../lib/accounts/people.ts";
import { isEqual } from "../../../lib/table/changes.ts";
import { key, personIn } from "../../../lib/table/keys.ts";
import { type Findings, finding, idIn, isErased, type StoredTable } from "./stored.ts";

/**
 * Every account has its row, its credentials and its two claims; each of them, each API key and each waiting mail has
 * its account.
 */
export function* accounts({ all, at, has }: StoredTable): Findings {
  for (const { key: account, value } of all("user")) {
    const { userId, email, username } = value;
    if (!has("userRow", key.userRow(userId))) yield finding(account, "is not in the list of accounts");
    const credentials = at("credentials", key.credentials(userId));
    if (!credentials) yield finding(account, "has no credentials");
    else if (credentials.tokenVersion !== value.tokenVersion)
      yield finding(account, "has credentials of another version");
    if (at("email", key.email(email))?.userId !== userId) yield finding(account, "does not hold its e-mail claim");
    if (at("username", key.username(username))?.userId !== userId)
      yield finding(account, "does not hold its username claim");
  }
  for (const { key: row } of all("userRow")) if (!has("user", key.user(row.sk))) yield finding(row, "has no account");
  for (const kind of ["credentials", "unsubscribe", "apiKey"] as const) {
    for (const { key: part } of all(kind)) {
      if (!has("user", key.user(idIn(part.pk)))) yield finding(part, "has no account");
    }
  }
  for (const { key: mail, value } of all("mail")) {
    const { userId } = value;
    // The mail of an erased account is dropped.
    const hasAccount = userId === undefined || has("user", key.user(userId)) || has("erased", key.erased(userId));
    if (!hasAccount) yield finding(mail, "has no account");
  }
  for (const { key: claim, value } of all("email")) {
    if (at("user", key.user(value.userId))?.email !== idIn(claim.pk))
      yield finding(claim, "is not the address of an account");
  }
  for (const { key: claim, value } of all("username")) {
    const user = at("user", key.user(value.userId));
    if (user?.username !== idIn(claim.pk)) yield finding(claim, "is not the username of an account");
  }
}

/** Every account is found by its address, its name and its group as they are, and by nothing else. */
export function* people({ all, at, has }: StoredTable): Findings {
  for (const { key: account, value } of all("user")) {
    for (const row of personKeys(value.userId, value))
      if (!has("personRow", row)) yield finding(account, "is not found by its name, its address or its group");
  }
  for (const { key: row } of all("personRow")) {
    const user = at("user", key.user(personIn(row.sk)));
    const isOfUser = user && personKeys(user.userId, user).some(({ sk }) => sk === row.sk);
    if (!isOfUser) yield finding(row, "has no account of this name, address or group");
  }
}

/** Every account lists the identities that sign in to it, and no others. */
export function* identities({ all }: StoredTable): Findings {
  const there = Map.groupBy(all("identity"), ({ value }) => value.userId);
  const accounts = new Map(all("user").map(({ key: account, value }) => [value.userId, { account, value }]));
  for (const [userId, { account, value }] of accounts) {
    const linked = (there.get(userId) ?? []).map(({ key: { pk } }) => idIn(pk).replace("#", "-"));
    if (linked.sort().join() !== (value.identities ?? []).toSorted().join())
      yield finding(account, "lists other identities than sign in to it");
  }
  for (const { key: identity, value } of all("identity"))
    if (!accounts.has(value.userId)) yield finding(identity, "has no account");
}

/** An account says whether it has a second factor. */
export function* twoFactors({ all, has }: StoredTable): Findings {
  for (const { key: account, value } of all("user")) {
    const isThere = has("twoFactor", key.twoFactor(value.userId));
    if (isThere !== (value.twoFactor === true)) yield finding(account, "says otherwise of its second factor");
  }
  for (const { key: factor } of all("twoFactor"))
    if (!has("user", key.user(idIn(factor.pk)))) yield finding(factor, "has no account");
}

/** Every account counts its API keys. */
export function* apiKeys({ all }: StoredTable): Findings {
  const keys = Map.groupBy(all("apiKey"), ({ key: { pk } }) => idIn(pk));
  for (const { key: account, value } of all("user")) {
    const counted = value.apiKeys ?? 0;
    const there = keys.get(value.userId)?.length ?? 0;
    if (counted !== there) yield finding(account, `counts ${counted} API keys and there are ${there}`);
  }
}

/** Marks of the rules of signup, with their domains in one order. */
function inOrder({ closed, noPasswords, domains, blocked }: GateMarks): unknown[] {
  return [closed, noPasswords, ...[domains, blocked].map((names) => names && Object.keys(names).sort())];
}

/** Each of the sixteen counters counts the accounts of its digit; all have the marks of the site's rules of signup. */
export function* userCounts({ all, at }: StoredTable): Findings {
  const rows = Map.groupBy(all("userRow"), ({ key: row }) => key.userCount(row.sk).sk);
  for (const digit of new Set([...rows.keys(), ...all("userCount").map(({ key: { sk } }) => sk)])) {
    const count = at("userCount", key.userCount(digit))?.count ?? 0;
    const accounts = rows.get(digit)?.length ?? 0;
    if (count !== accounts) yield finding(key.userCount(digit), `counts ${count} accounts and there are ${accounts}`);
  }
  const rules = at("site", key.site());
  const ruled = rules ? gateMarks(rules) : {};
  for (const digit of "0123456789abcdef") {
    const marks: GateMarks = at("userCount", key.userCount(digit)) ?? {};
    if (!isEqual(inOrder(marks), inOrder(ruled)))
      yield finding(key.userCount(digit), "has other rules of signup than the site");
  }
}

/** The site's owner has an account, as owner. */
export function* site({ all, at, has }: StoredTable): Findings {
  for (const { key: site, value } of all("site")) {
    if (at("user", key.user(value.ownerId))?.role !== "owner") yield finding(site, "names no owner");
    const takesTokens = value.ssoSince !== undefined;
    if (takesTokens && !has("ssoSecret", key.ssoSecret())) yield finding(site, "takes tokens and has no secret");
  }
  for (const { key: secret } of all("ssoSecret")) {
    if (at("site", key.site())?.ssoSince === undefined) yield finding(secret, "is of a site that takes no tokens");
  }
}

/** Of an erased account nothing is left, once its job has ended. */
export function* erasures(table: StoredTable): Findings {
  const { all, has } = table;
  for (const { key: record, value } of all("erased")) {
    const { userId } = value;
    if (has("user", key.user(userId))) yield finding(record, "names an account that exists");
  }
  const authors = [...all("post"), ...all("comment"), ...all("note")].map(({ key, value }) => {
    return { at: key, userId: value.author.userId };
  });
  const voters = all("vote").map(({ key, value }) => ({ at: key, userId: value.userId }));
  const subscribers = all("subscription").map(({ key }) => ({ at: key, userId: key.sk }));
  for (const { at, userId } of [...authors, ...voters, ...subscribers])
    if (isErased(table, userId)) yield finding(at, "is of an account that was erased");
}
