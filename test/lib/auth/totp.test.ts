import { describe, expect, it } from "vitest";
import { addressOf, base32, codeOf, stepAt, stepOf } from "../../../lib/auth/totp.ts";

// The key of appendix B of RFC 6238, and its codes: there with eight digits, of which ours are the last six.
const SECRET = Buffer.from("12345678901234567890");

describe("A code of an authenticator app", () => {
  it.each([
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ])("is at the second %d of the RFC %s", (second, code) => {
    expect(codeOf(SECRET, stepAt(second * 1000))).toBe(code);
  });

  it("is good in its step, the one before and the one after, and in no other", () => {
    const now = 1_700_000_000_000;
    const step = stepAt(now);
    for (const drift of [-1, 0, 1]) expect(stepOf(codeOf(SECRET, step + drift), SECRET, 0, now)).toBe(step + drift);
    for (const drift of [-2, 2, 20]) expect(stepOf(codeOf(SECRET, step + drift), SECRET, 0, now)).toBeUndefined();
  });

  it("is not good in the step of the last one that was used, nor before", () => {
    const now = 1_700_000_000_000;
    const step = stepAt(now);
    expect(stepOf(codeOf(SECRET, step), SECRET, step, now)).toBeUndefined();
    expect(stepOf(codeOf(SECRET, step - 1), SECRET, step, now)).toBeUndefined();
    expect(stepOf(codeOf(SECRET, step + 1), SECRET, step, now)).toBe(step + 1);
  });

  it.each(["", "12345", "1234567", "abcdef", "12345\u0660", "1e5   "])("is never %j", (typed) => {
    expect(stepOf(typed, SECRET, 0, 59_000)).toBeUndefined();
  });
});

describe("The secret of an app", () => {
  it("is written in Base32, as in RFC 4648", () => {
    expect(base32(Buffer.from("fooba"))).toBe("MZXW6YTB");
    expect(base32(SECRET)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  });

  it("has an address that names site and account, whatever is in their names", () => {
    expect(addressOf(SECRET, "A & B: ideas?", "ada+x@example.com")).toBe(
      `otpauth://totp/A%20%26%20B%3A%20ideas%3F:ada%2Bx%40example.com?secret=${base32(SECRET)}&issuer=A%20%26%20B%3A%20ideas%3F`,
    );
  });
});
