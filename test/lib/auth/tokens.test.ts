import { decodeJwt } from "jose";
import { afterEach, describe, expect, it } from "vitest";
import * as tokens from "../../../lib/auth/tokens.ts";
import { newId } from "../../../lib/values/ids.ts";
import { newContainer } from "../../support/setup.ts";

const user = { userId: newId(), tokenVersion: 3 };

afterEach(() => newContainer({ TOKEN_LIFETIME_SECONDS: "" }));

describe("A token", () => {
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
