import { beforeEach, describe, expect, it } from "vitest";
import * as users from "../../../lib/accounts/users.ts";
import { atOnce, invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { aMember, anAccount } from "../../support/world/fixtures.ts";

const PASSWORD = "correct horse";

beforeEach(freshTable);

async function logIn(email: string): Promise<{ token: string }> {
  return { token: success(await portal.logIn(email, PASSWORD), 200).user.authToken };
}

describe("POST /auth/logout", () => {
  it("revokes all sessions of the account and of no other, and keeps the password", async () => {
    const ada = await anAccount(PASSWORD);
    const grace = await aMember();
    const phone = await logIn(ada.email);
    success(await invoke("auth-log-out", { token: ada.token }), 204);
    for (const session of [ada, phone]) refusal(await portal.profile(session), "INVALID_TOKEN");
    success(await portal.profile(grace), 200);
    success(await portal.profile(await logIn(ada.email)), 200);
    await expectSound();
  });

  it("revokes the sessions once if 16 devices ask in parallel, and the next login is good", async () => {
    const { userId, email, token } = await anAccount(PASSWORD);
    const replies = await atOnce(16, () => invoke("auth-log-out", { token }));
    // A call that came after the commit has no session any more.
    for (const { status } of replies) expect([204, 401]).toContain(status);
    expect((await users.find(userId))?.tokenVersion).toBe(2);
    success(await portal.profile(await logIn(email)), 200);
    await expectSound();
  });
});
