import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { describe, expect, it, vi } from "vitest";
import * as passwords from "../../../lib/auth/passwords.ts";
import { hashAtFullCost } from "../../support/cheap-hashes.ts";
import { countHashes, hashOfTyped, outdatedHash } from "../../support/world/passwords.ts";

hashAtFullCost();

const long = "x".repeat(127);

async function isRight(password: string, phc: string): Promise<boolean> {
  return (await passwords.verify(password, phc)).isRight;
}

const sameOnOtherDevices = [
  ["letters with accents", "P\u00e4sswort-\u00fc\u00f6 99", "Pa\u0308sswort-u\u0308o\u0308 99"],
  [
    "Hangul",
    "\ud55c\uad6d\uc5b4 \ube44\ubc00\ubc88\ud638",
    "\ud55c\uad6d\uc5b4 \ube44\ubc00\ubc88\ud638".normalize("NFD"),
  ],
  ["a no-break space", "correct horse", "correct\u00a0horse"],
  ["digits of full width", "correct 123", "correct \uff11\uff12\uff13"],
] as const;

describe("Password hashing", () => {
  it("makes an argon2id PHC string with the decided cost and a salt of 16 bytes, never the same", async () => {
    const one = await passwords.hash("correct horse");
    const other = await passwords.hash("correct horse");
    expect(one).not.toBe(other);
    for (const phc of [one, other]) {
      expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
      expect(await passwords.verify("correct horse", phc)).toEqual({ isRight: true, isOutdated: false });
    }
  });

  it("distinguishes passwords by the last character, case, a blank, text after a NUL and letters", async () => {
    const pairs = [
      [`${long}a`, `${long}b`],
      ["Correct horse", "correct horse"],
      ["correct horse", "correct horse "],
      ["correct\u0000horse", "correct\u0000house"],
      ["correct horse", " correct horse"],
      ["caf\u00e9 au lait", "cafe au lait"],
      ["😀😀😀😀", "😀😀😀😁"],
    ] as const;
    for (const [password, other] of pairs) {
      const phc = await passwords.hash(password);
      expect(await isRight(password, phc), password).toBe(true);
      expect(await isRight(other, phc), other).toBe(false);
    }
  });

  it("verifies a cheaper hash, and calls it outdated", async () => {
    const phc = outdatedHash("correct horse");
    expect(await passwords.verify("correct horse", phc)).toEqual({ isRight: true, isOutdated: true });
    expect(await isRight("correct house", phc)).toBe(false);
  });

  it.each(sameOnOtherDevices)("takes a password as another device sends it: %s", async (_, typed, sent) => {
    expect(sent).not.toBe(typed);
    expect(await passwords.verify(sent, await passwords.hash(typed))).toEqual({ isRight: true, isOutdated: false });
    expect(await passwords.verify(typed, await passwords.hash(sent))).toEqual({ isRight: true, isOutdated: false });
  });

  it.each(sameOnOtherDevices)(
    "takes an earlier hash of what was typed, and calls it outdated: %s",
    async (_, __, sent) => {
      const earlier = hashOfTyped(sent);
      const form = sent.normalize("NFKC");
      if (form !== sent) expect(await passwords.verify(sent, earlier)).toEqual({ isRight: true, isOutdated: true });
      expect(await isRight(`${sent}x`, earlier)).toBe(false);
    },
  );

  it("costs as much work for an unknown account as for a wrong password", async () => {
    const argon2 = vi.spyOn(crypto, "argon2");
    syncBuiltinESMExports();
    await passwords.verify("wrong horse", await passwords.hash("correct horse"));
    await passwords.verify("wrong horse", passwords.hashOfNone);
    const costs = argon2.mock.calls.map(([algorithm, { message: _, nonce, ...cost }]) => {
      return { algorithm, salt: (nonce as Buffer).length, ...cost };
    });
    argon2.mockRestore();
    syncBuiltinESMExports();
    const cost = { algorithm: "argon2id", salt: 16, memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
    expect(costs).toEqual([cost, cost, cost]);
  });

  it("costs as much work for an unknown account as for a wrong password that has another form", async () => {
    const phc = await passwords.hash("correct horse");
    const counts: number[] = [];
    for (const stored of [phc, passwords.hashOfNone]) {
      const { hashes } = await countHashes(() => passwords.verify("cafe\u0301 au lait", stored));
      counts.push(hashes);
    }
    expect(counts).toEqual([2, 2]);
  });

  it.each([
    "",
    "plain",
    "$scrypt$ln=17,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaA",
    "$2b$10$abcdefghijklmnopqrstuv",
    "$argon2id$v=19$m=8$$",
    "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaGhhc2hoYXNoaGFzaA",
    "$argon2id$v=19$t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaA",
    ...["m=4294967295,t=2,p=1", "m=19456,t=4294967295,p=1", "m=19456,t=2,p=99", "m=0,t=2,p=1", "m=31,t=2,p=4"].map(
      (cost) => `$argon2id$v=19$${cost}$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaA`,
    ),
  ])("matches no password with a stored hash of another kind or cost: %s", async (phc) => {
    expect(await isRight("correct horse", phc)).toBe(false);
  });
});
