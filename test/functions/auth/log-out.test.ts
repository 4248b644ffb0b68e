import { beforeEach, describe, expect, it } from "vitest";
import { handler as logIn } from "../../../functions/auth/log-in.ts";
import { handler as logOut } from "../../../functions/auth/log-out.ts";
import { handler as profile } from "../../../functions/users/profile.ts";
import * as users from "../../../lib/accounts/users.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { expectSound } from "../../support/store/sound.ts";
import { aMember, anAccount } from "../../support/world/fixtures.ts";

const PASSWORD = "correct horse";

beforeEach(freshTable);

async function signIn(email: string): Promise<string> {
  return success(await invoke(logIn, { body: { email, password: PASSWORD } }), 200).user.authToken;
}

describe("POST /auth/logout", () => {
  it("ends all sessions of the account, and no other's; the password stays", async () => {
    const [ada, grace] = [await anAccount(PASSWORD), await aMember()];
    const other = await signIn(ada.email);
    success(await invoke(logOut, { token: ada.token }), 204);
    for (const token of [ada.token, other]) refusal(await invoke(profile, { token }), "INVALID_TOKEN");
    success(await invoke(profile, { token: grace.token }), 200);
    success(await invoke(profile, { token: await signIn(ada.email) }), 200);
    await expectSound();
  });

  it("can be asked for once only by a token", async () => {
    const { token } = await aMember();
    success(await invoke(logOut, { token }), 204);
    refusal(await invoke(logOut, { token }), "INVALID_TOKEN");
  });

  it("is one end where 16 devices ask at once, and the next login is good", async () => {
    const ada = await anAccount(PASSWORD);
    const replies = await Promise.all(Array.from({ length: 16 }, () => invoke(logOut, { token: ada.token })));
    // Who came after the commit has no session any more.
    expect(replies.map(({ status }) => status).filter((status) => status !== 204 && status !== 401)).toEqual([]);
    expect((await users.find(ada.userId))?.tokenVersion).toBe(2);
    success(await invoke(profile, { token: await signIn(ada.email) }), 200);
    await expectSound();
  });
});
