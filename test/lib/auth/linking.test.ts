import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import * as identities from "../../../lib/accounts/identities.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import { type Asserted, enterBy, linkTo, type Refusal } from "../../../lib/auth/linking.ts";
import { setFields } from "../../../lib/table/changes.ts";
import { key } from "../../../lib/table/keys.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { isNoAddress } from "../../../lib/values/no-address.ts";
import { atOnce, invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { conflicts, withFaults } from "../../support/store/faults.ts";
import { aKey, aMember, anAccount, aReader, aUser, type Person } from "../../support/world/fixtures.ts";
import { generated } from "../../support/world/generated.ts";

const PASSWORD = "correct horse";
const IDENTITY = { issuer: "https://id.example", subject: "ada" };

beforeEach(freshTable);

function asserted(more: Partial<Asserted> = {}): Asserted {
  return { ...IDENTITY, emailVerified: true, mayBeStaff: false, ...more };
}

const counted: string[] = [];

function enter(more: Partial<Asserted> = {}): Promise<users.UserRecord | Refusal> {
  return enterBy(asserted(more), async (subject) => {
    counted.push(subject);
  });
}

async function entered(more: Partial<Asserted> = {}): Promise<users.UserRecord> {
  const outcome = await enter(more);
  if (typeof outcome === "string") throw new Error(outcome);
  return outcome;
}

async function suspend({ userId }: Person): Promise<void> {
  await transact({ user: setFields(key.user(userId), { role: "suspended" }) });
}

// The rows and columns of docs/sign-in.md#which-account-it-is, as they are written there.

const ROWS: Record<string, () => Promise<{ email: string; userId?: string }>> = {
  "no account": async () => ({ email: "new@example.com" }),
  "an account that was never confirmed": () => aMember(),
  "a confirmed account": () => aReader(),
  "an account of the owner or a moderator": () => aUser("moderator"),
};

const COLUMNS: Record<string, (email: string) => Partial<Asserted>> = {
  "`email_verified` is true": (email) => ({ email, emailVerified: true }),
  "it is not": (email) => ({ email, emailVerified: false }),
  "the provider names no address": () => ({ emailVerified: true }),
};

/** The outcome of a first sign-in, in the first words of the table. */
function words(outcome: users.UserRecord | Refusal, { email, userId }: { email: string; userId?: string }): string {
  if (outcome === "sign in to link") return "none: SIGN_IN_TO_LINK";
  if (typeof outcome === "string") return outcome;
  if (outcome.userId === userId) return "that account";
  if (isNoAddress(outcome.email)) return "a new account without an address";
  return outcome.email === email && outcome.isVerified ? "a new account with this confirmed address" : "another";
}

function cellsOf(line: string): string[] {
  return line.split("|").map((cell) => cell.trim());
}

const page = readFileSync("docs/sign-in.md", "utf8");
const [header = "", , ...lines] =
  /^\| The address has \| `email_ver[\s\S]*?(?=\n\n)/m.exec(page)?.[0].split("\n") ?? [];
const columns = cellsOf(header).slice(2, -1);
const cells = lines.flatMap((line) => {
  const [, row = "", ...rest] = cellsOf(line);
  return columns.map((column, at) => ({ row, column, says: rest[at]?.split(/:(?! SIGN)/, 1)[0] ?? "" }));
});

describe("The first sign-in of an identity", () => {
  it("has twelve documented cases", () => {
    expect([...new Set(cells.map(({ row }) => row))]).toEqual(Object.keys(ROWS));
    expect(columns).toEqual(Object.keys(COLUMNS));
    expect(cells).toHaveLength(12);
  });

  it.each(cells)("leads, with an address that has $row, where $column, to: $says", async ({ row, column, says }) => {
    const account = (await ROWS[row]?.()) ?? { email: "" };
    const outcome = await enter(COLUMNS[column]?.(account.email));
    expect(words(outcome, account)).toBe(says);
    // The second sign-in of an identity leads to the account of the first, and one that was refused is refused.
    const again = await enter(COLUMNS[column]?.(account.email));
    if (typeof outcome === "string") expect(again).toBe(outcome);
    else expect((again as users.UserRecord).userId).toBe(outcome.userId);
    await expectSound();
  });

  it("counts a new account as a signup, and no other sign-in", async () => {
    counted.length = 0;
    await entered({ email: "new@example.com" });
    await entered({ email: "new@example.com" });
    await entered({ email: (await aMember()).email, subject: "grace" });
    expect(counted).toEqual(["new@example.com"]);
    await entered({ subject: "nobody" });
    expect(counted).toHaveLength(2);
  });

  it("is refused where signup is closed, unless there is an account", async () => {
    const { email } = await aMember();
    success(await portal.setUp({ email: "owner@example.com", password: PASSWORD }), 201);
    const asSetUp = (await site.find()) as site.Site;
    await site.change(asSetUp, { allowSignup: false });
    expect(await enter({ email: "new@example.com" })).toBe("signup closed");
    expect(await enter()).toBe("signup closed");
    expect((await entered({ email })).email).toBe(email);
  });

  generated("makes one account if several happen in parallel, through conflicts", async ({ below }) => {
    const outcomes = await withFaults(conflicts(2, below), () =>
      atOnce(4, () => entered({ email: "new@example.com", name: "Ada" })),
    );
    expect(new Set(outcomes.map(({ userId }) => userId)).size).toBe(1);
    await expectSound();
  });

  generated("makes one account for two identities of one address in parallel", async ({ below }) => {
    const outcomes = await withFaults(conflicts(2, below), () =>
      atOnce(2, (n) => enter({ email: "new@example.com", subject: `person ${n}` })),
    );
    expect(outcomes).toContain("sign in to link");
    expect(await users.count()).toBe(1);
    await expectSound();
  });
});

describe("A known identity", () => {
  it("signs in to its account, whatever address and name it has now", async () => {
    const { userId } = await entered({ email: "ada@example.com", name: "Ada" });
    const other = await aReader();
    const again = await entered({ email: other.email, name: "Another" });
    expect(again).toMatchObject({ userId, email: "ada@example.com", name: "Ada" });
  });

  it("is another one at another provider", async () => {
    const { userId } = await entered();
    expect((await entered({ issuer: "https://other.example" })).userId).not.toBe(userId);
  });

  it("does not sign in to an account of the team, unless the provider is good for it", async () => {
    const moderator = await aUser("moderator");
    expect(await linkTo(moderator, asserted())).toBe("not for staff");
    expect(await linkTo(moderator, asserted({ mayBeStaff: true }))).toBe("linked");
    expect(await enter()).toBe("not for staff");
    expect((await entered({ mayBeStaff: true })).userId).toBe(moderator.userId);
  });

  it("signs in to a suspended account, which stays suspended", async () => {
    const member = await aMember();
    await linkTo(member, asserted());
    await suspend(member);
    expect(await entered()).toMatchObject({ userId: member.userId, role: "suspended" });
  });
});

describe("An account that a stranger made in advance", () => {
  it("loses password, session, key and the stranger's identity at the holder's first sign-in", async () => {
    const stranger = await anAccount(PASSWORD);
    const { text: secret } = await aKey(stranger);
    const ofStranger = asserted({ subject: "stranger" });
    expect(await linkTo(stranger, ofStranger)).toBe("linked");
    const holder = await entered({ email: stranger.email });
    expect(holder).toMatchObject({ userId: stranger.userId, isVerified: true });
    refusal(await portal.profile(stranger), "INVALID_TOKEN");
    refusal(await portal.profile({ token: secret }), "INVALID_TOKEN");
    refusal(await portal.logIn(stranger.email, PASSWORD), "INCORRECT_PASSWORD");
    expect((await entered(ofStranger)).userId).not.toBe(stranger.userId);
    await expectSound();
  });

  generated("does so while the stranger links an identity and makes keys", async ({ below }) => {
    const stranger = await aMember();
    const ofStranger = asserted({ subject: "stranger" });
    const [holder] = await withFaults(conflicts(2, below), () =>
      atOnce(2, (n): Promise<unknown> => (n === 0 ? entered({ email: stranger.email }) : linkTo(stranger, ofStranger))),
    );
    expect((await users.find(stranger.userId))?.identities).toEqual([identities.idOf(IDENTITY)]);
    expect(holder).toMatchObject({ userId: stranger.userId });
    await expectSound();
  });
});

describe("A link to the account of a session", () => {
  it("is made once, and not to two accounts", async () => {
    const member = await aMember();
    expect(await linkTo(member, asserted())).toBe("linked");
    expect(await linkTo(member, asserted())).toBe("linked");
    expect(await linkTo(await aMember(), asserted())).toBe("of another account");
    expect((await entered()).userId).toBe(member.userId);
    await expectSound();
  });

  it("is refused after the session has ended, and beyond five", async () => {
    const member = await aMember();
    for (let n = 0; n < 5; n++) expect(await linkTo(member, asserted({ subject: `${n}` }))).toBe("linked");
    expect(await linkTo(member, asserted())).toBe("too many");
    success(await invoke("auth-log-out", { token: member.token }), 204);
    expect(await linkTo(member, asserted())).toBe("session ended");
    await expectSound();
  });

  generated("makes all of several in parallel, through conflicts", async ({ below }) => {
    const member = await aMember();
    const outcomes = await withFaults(conflicts(2, below), () =>
      atOnce(4, (n) => linkTo(member, asserted({ subject: `${n}` }))),
    );
    expect(outcomes).toEqual(Array(4).fill("linked"));
    await expectSound();
  });
});

describe("Unlinking", () => {
  it("takes one identity away, and no other", async () => {
    const member = await aMember();
    await linkTo(member, asserted());
    await linkTo(member, asserted({ subject: "grace" }));
    const read = async () => (await users.find(member.userId)) as users.UserRecord;
    const asRead = await read();
    expect(await identities.unlink(identities.idOf(IDENTITY), asRead)).toBe("unlinked");
    expect(await identities.unlink(identities.idOf({ ...IDENTITY, subject: "grace" }), asRead)).toBe(
      "changed meanwhile",
    );
    expect(await identities.unlink(identities.idOf({ ...IDENTITY, subject: "grace" }), await read())).toBe("unlinked");
    expect((await read()).identities).toBeUndefined();
    expect((await entered()).userId).not.toBe(member.userId);
    await expectSound();
  });
});
