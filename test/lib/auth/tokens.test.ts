import { decodeJwt } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import * as tokens from "../../../lib/auth/tokens.ts";
import { newId } from "../../../lib/values/ids.ts";
import { newContainer } from "../../support/setup.ts";

const user = { userId: newId(), tokenVersion: 3 };

afterEach(() => newContainer({ TOKEN_LIFETIME_SECONDS: "" }));

describe("A token", () => {
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
    expect(await tokens.verify(await tokens.issue(user, Date.now() - 60_000))).toMatchObject(user);
    expect(await tokens.verify(await tokens.issue(user, Date.now() - 91_000))).toBeUndefined();
  });
});
