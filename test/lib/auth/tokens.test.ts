import { decodeJwt } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import * as tokens from "../../../lib/auth/tokens.ts";
import { newId } from "../../../lib/values/ids.ts";
import { newContainer } from "../../support/setup.ts";

const user = { userId: newId(), tokenVersion: 3 };

const names = ["TOKEN_LIFETIME_SECONDS", "TOKEN_ISSUER", "TOKEN_AUDIENCE", "SIGNING_SECRET"] as const;

afterEach(() => {
  const secret = "a signing secret for tests, 32 characters or more";
  newContainer({ TOKEN_LIFETIME_SECONDS: "", TOKEN_ISSUER: "", TOKEN_AUDIENCE: "", SIGNING_SECRET: secret });
});

describe("A token", () => {
  const claims = { ...user, issuedAt: expect.any(Number) };

  it("verifies to the account, token version and second that it was issued for", async () => {
    const now = Math.floor(Date.now() / 1000) * 1000;
    expect(await tokens.verify(await tokens.issue(user, now + 999))).toEqual({ ...user, issuedAt: now });
  });

  it("contains a unique jti", async () => {
    const [one, other] = [decodeJwt(await tokens.issue(user)), decodeJwt(await tokens.issue(user))];
    expect(one.jti).not.toBe(other.jti);
  });

  it("expires after TOKEN_LIFETIME_SECONDS, by default seven days", async () => {
    const lifetime = async (): Promise<number> => {
      const { iat = 0, exp = 0 } = decodeJwt(await tokens.issue(user));
      return exp - iat;
    };
    expect(await lifetime()).toBe(604_800);
    newContainer({ TOKEN_LIFETIME_SECONDS: "90" });
    expect(await lifetime()).toBe(90);
    expect(await tokens.verify(await tokens.issue(user, Date.now() - 60_000))).toEqual(claims);
    expect(await tokens.verify(await tokens.issue(user, Date.now() - 91_000))).toBeUndefined();
  });

  it("verifies for one issuer, one audience and one secret only", async () => {
    const token = await tokens.issue(user);
    for (const change of [
      { TOKEN_ISSUER: "another" },
      { TOKEN_AUDIENCE: "another" },
      { SIGNING_SECRET: "another secret, as long as the one of before" },
    ]) {
      const [[name, value]] = Object.entries(change) as [[(typeof names)[number], string]];
      const old = process.env[name];
      newContainer({ [name]: value });
      expect([name, await tokens.verify(token)]).toEqual([name, undefined]);
      expect(await tokens.verify(await tokens.issue(user))).toEqual(claims);
      newContainer({ [name]: old ?? "" });
    }
    expect(await tokens.verify(token)).toEqual(claims);
  });
});
