import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { describe, expect, it, vi } from "vitest";
import * as passwords from "../../../lib/auth/passwords.ts";
import { hashAtFullCost } from "../../support/cheap-hashes.ts";
import { outdatedHash } from "../../support/world/passwords.ts";

hashAtFullCost();

const long = "x".repeat(127);

describe("Password hashing", () => {
  it("makes an argon2id PHC string with the decided cost and a salt of 16 bytes, never the same", async () => {
    const [one, other] = [await passwords.hash("correct horse"), await passwords.hash("correct horse")];
    expect(one).not.toBe(other);
    for (const phc of [one, other]) {
      expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
      expect(passwords.isOutdated(phc)).toBe(false);
      expect(await passwords.verify("correct horse", phc)).toBe(true);
    }
  });

  it("distinguishes passwords by the last character, case, a blank, text after a NUL and Unicode form", async () => {
    const pairs = [
      [`${long}a`, `${long}b`],
      ["Correct horse", "correct horse"],
      ["correct horse", "correct horse "],
      ["correct\u0000horse", "correct\u0000house"],
      ["caf\u00e9 au lait", "cafe\u0301 au lait"],
      ["😀😀😀😀", "😀😀😀😁"],
    ] as const;
    for (const [password, other] of pairs) {
      const phc = await passwords.hash(password);
      expect([password, await passwords.verify(password, phc)]).toEqual([password, true]);
      expect([other, await passwords.verify(other, phc)]).toEqual([other, false]);
    }
  });

  it("verifies a cheaper hash, and calls it outdated", async () => {
    const phc = outdatedHash("correct horse");
    expect(await passwords.verify("correct horse", phc)).toBe(true);
    expect(await passwords.verify("correct house", phc)).toBe(false);
    expect(passwords.isOutdated(phc)).toBe(true);
  });

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
    expect(await passwords.verify("correct horse", phc)).toBe(false);
    expect(passwords.isOutdated(phc)).toBe(true);
  });
});
