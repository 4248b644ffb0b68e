import { beforeEach, describe, expect, it } from "vitest";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as site from "../../../lib/accounts/site.ts";
import { setFields } from "../../../lib/table/changes.ts";
import { key } from "../../../lib/table/keys.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { aWorld, type World } from "../../support/world/examples.ts";
import { sendLetters, tokenIn } from "../../support/world/letters.ts";

const email = "grace@example.com";
const password = "correct horse staple";

let world: World;
beforeEach(async () => {
  await freshTable();
  world = await aWorld();
  await sendLetters();
});

function invite(body: unknown) {
  return invoke("users-invite", { token: world.owner.token, body });
}

async function letter() {
  return (await sendLetters()).find(({ to }) => to === email);
}

describe("POST /users/invitations", () => {
  it("makes an account, and mails a link that sets its password and confirms its address", async () => {
    await site.change((await site.find()) as site.Site, { allowSignup: false });
    const answer = success(await invite({ email: " Grace@Example.com", name: "Grace Hopper" }), 200);
    expect(answer).toMatchObject({
      user: { email, name: "Grace Hopper", role: "member" },
      created: true,
      invited: true,
    });
    const token = tokenIn(await letter());
    const [kept] = (await scan()).filter(({ pk }) => pk.startsWith("MAIL_TOKEN#reset-password#"));
    const days = (Number(kept?.expiresAt) - Date.now() / 1000) / 86_400;
    expect(Math.round(days)).toBe(7);
    success(await invoke("auth-password-set", { body: { token, password } }), 200);
    const { user } = success(await portal.logIn(email, password), 200);
    expect(success(await invoke("users-profile", { token: user.authToken }), 200).user.isVerified).toBe(true);
    refusal(await invoke("auth-password-set", { body: { token, password } }), "INVALID_TOKEN");
    await expectSound();
  });

  it("says in the mail who invites, or the team where that person has no name", async () => {
    const { owner } = world;
    for (const _ of ["a new account", "one that is there"]) {
      success(await invite({ email }), 200);
      expect((await letter())?.text).toContain(`${owner.name} invites you to`);
    }
    await transact({ owner: setFields(key.user(owner.userId), { isUnnamed: true }) });
    success(await invite({ email }), 200);
    expect((await letter())?.text).toContain("The team invites you to");
  });

  it("shows nothing of the address of a person without a name, in the language of the invitation", async () => {
    const { user } = success(await invite({ email, language: "fr" }), 200);
    expect(user).toMatchObject({ name: "Nouveau membre", username: expect.stringMatching(/^user_/) });
  });

  it("invites the person again whose address is not confirmed, and nobody else", async () => {
    success(await invite({ email }), 200);
    await letter();
    expect(success(await invite({ email }), 200)).toMatchObject({ created: false, invited: true });
    const token = tokenIn(await letter());
    success(await invoke("auth-password-set", { body: { token, password } }), 200);
    expect(success(await invite({ email }), 200)).toMatchObject({ created: false, invited: false });
    expect(await letter()).toBeUndefined();
  });

  it("leaves the caller's account as it is, also before its address is confirmed", async () => {
    const { owner } = world;
    const reply = await invoke("users-invite", { token: owner.token, body: { email: owner.email } });
    expect(success(reply, 200)).toMatchObject({ created: false, invited: false, user: { invitedAt: null } });
    expect((await sendLetters()).filter(({ to }) => to === owner.email)).toEqual([]);
  });

  it("says in the mail what a moderator may do, and to others what a member may", async () => {
    success(await invite({ email, role: "moderator" }), 200);
    expect((await letter())?.text).toContain("as a moderator you answer posts");
    const other = "ida@example.com";
    success(await invite({ email: other }), 200);
    const [sent] = (await sendLetters()).filter(({ to }) => to === other);
    expect(sent?.text).toContain("you can post, vote and comment");
  });

  it("gives a new account the role, shows that it waits, and changes no account that there is", async () => {
    const invited = success(await invite({ email, role: "moderator" }), 200).user;
    expect(invited).toMatchObject({ role: "moderator", invitedAt: expect.any(String) });
    const again = success(await invite({ email, role: "member" }), 200).user;
    expect(again.role).toBe("moderator");
    const listed = async () =>
      success(await invoke("users-list", { token: world.owner.token, query: { email } }), 200).users[0];
    expect(Date.parse((await listed()).invitedAt)).toBeGreaterThanOrEqual(Date.parse(invited.invitedAt));
    const token = tokenIn(await letter());
    success(await invoke("auth-password-set", { body: { token, password } }), 200);
    expect((await listed()).invitedAt).toBeNull();
    refusal(await invite({ email: "ada@example.com", role: "owner" }), "VALIDATION_ERROR");
    await expectSound();
  });

  it("refuses members and moderators", async () => {
    for (const { token } of [world.member, world.moderator])
      refusal(await invoke("users-invite", { token, body: { email } }), "NOT_ENOUGH_PERMISSION");
  });
});
