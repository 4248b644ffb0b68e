import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import * as identities from "../../../lib/accounts/identities.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as sso from "../../../lib/accounts/sso.ts";
import * as users from "../../../lib/accounts/users.ts";
import { findOrOpen } from "../../../lib/auth/accounts.ts";
import { SSO_ISSUER } from "../../../lib/auth/sso.ts";
import * as tokens from "../../../lib/auth/tokens.ts";
import * as providers from "../../../lib/providers/providers.ts";
import { setFields } from "../../../lib/table/changes.ts";
import * as due from "../../../lib/table/due.ts";
import { key } from "../../../lib/table/keys.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable, newContainer } from "../../support/setup.ts";
import { cutAt, isTransaction, overtaken } from "../../support/store/faults.ts";
import { aWorld } from "../../support/world/examples.ts";
import { aKey, aMember, aPost, aProvider, aReader, aUser, type Person } from "../../support/world/fixtures.ts";
import { sendLetters } from "../../support/world/letters.ts";

let owner: Person;

beforeEach(async () => {
  await freshTable();
  owner = (await aWorld()).owner;
  await transact({ user: setFields(key.user(owner.userId), { isVerified: true }) });
});

function handOver({ userId }: { userId: string }, { token }: { token: string } = owner) {
  return invoke("users-update", { token, params: { userId }, body: { role: "owner" } });
}

describe("PATCH /users/{userId} with the role owner", () => {
  it("makes one account the owner and the other a moderator, whose API keys end", async () => {
    const ada = await aReader();
    const post = await aPost(owner);
    const { text } = await aKey(owner);
    expect(success(await handOver(ada), 200).user.role).toBe("owner");
    expect((await users.find(owner.userId))?.role).toBe("moderator");
    expect((await site.find())?.ownerId).toBe(ada.userId);
    refusal(await portal.profile({ token: text }), "INVALID_TOKEN");
    refusal(await handOver(owner), "NOT_ENOUGH_PERMISSION");
    await portal.finishRenames();
    expect((await portal.shownPost(post)).author.role).toBe("moderator");
    success(await handOver(owner, ada), 200);
    await portal.finishRenames();
    await expectSound();
  });

  it("tells both by mail, on a site that sends mails", async () => {
    const ada = await aReader();
    success(await handOver(ada), 200);
    const letters = (await sendLetters()).map(({ to, subject }) => `${to}: ${subject}`);
    expect(letters.sort()).toEqual(
      [`${ada.email}: You are now the owner of Feedback`, `${owner.email}: You have handed over Feedback`].sort(),
    );
    newContainer({ MAIL_TRANSPORT: "off" });
    onTestFinished(() => newContainer({ MAIL_TRANSPORT: "log" }));
    await handOver(owner, ada);
    expect(await due.waitingIds("OUTBOX")).toEqual([]);
  });

  it("mails nothing to an address that the owner has not confirmed", async () => {
    const ada = await aReader();
    await transact({ user: setFields(key.user(owner.userId), { isVerified: undefined }) });
    success(await handOver(ada), 200);
    expect((await sendLetters()).map(({ to }) => to)).toEqual([ada.email]);
  });

  it("asks for a session younger than ten minutes, which an API key is not", async () => {
    const ada = await aReader();
    const { text } = await aKey(owner);
    refusal(await handOver(ada, { token: text }), "SIGN_IN_AGAIN");
    const old = { token: await tokens.issue(owner, Date.now() - 11 * 60_000) };
    refusal(await handOver(ada, old), "SIGN_IN_AGAIN");
    success(await invoke("users-update", { ...old, params: { userId: ada.userId }, body: { role: "moderator" } }), 200);
  });

  it("refuses a suspended account, and an unconfirmed one where mails can confirm it", async () => {
    refusal(await handOver(await aMember()), "CANNOT_OWN");
    refusal(await handOver(await aReader("suspended")), "CANNOT_OWN");
    newContainer({ MAIL_TRANSPORT: "off" });
    refusal(await handOver(await aUser("suspended")), "CANNOT_OWN");
    success(await handOver(await aMember()), 200);
    newContainer({ MAIL_TRANSPORT: "log" });
    await expectSound();
  });

  it("refuses on a site without mails who could not sign in as the owner", async () => {
    const by = { email: "heir@example.com", name: "Heir", by: owner.userId };
    const { user: heir } = await findOrOpen(undefined, by);
    const identity = { issuer: "https://id.example", subject: "heir" };
    await identities.link(identity, heir);
    const client = { issuer: identity.issuer, clientId: "client", clientSecret: "secret" };
    const { providerId } = await aProvider(client, { staff: false });
    newContainer({ MAIL_TRANSPORT: "off" });
    onTestFinished(() => newContainer({ MAIL_TRANSPORT: "log" }));
    refusal(await handOver(heir), "CANNOT_SIGN_IN");
    const provider = (await providers.find(providerId)) as providers.ProviderRecord;
    await providers.change(provider, { staff: true, enabled: false });
    refusal(await handOver(heir), "CANNOT_SIGN_IN");
    await providers.change(provider, { staff: true, enabled: true });
    success(await handOver(heir), 200);
    await expectSound();
  });

  it("gives a site without mails to a person who signs in by the product, once the team may", async () => {
    const { user: heir } = await findOrOpen(undefined, { email: "heir@example.com", name: "Heir", by: owner.userId });
    await identities.link({ issuer: SSO_ISSUER, subject: "heir" }, heir);
    newContainer({ MAIL_TRANSPORT: "off" });
    onTestFinished(() => newContainer({ MAIL_TRANSPORT: "log" }));
    await sso.rotate((await site.find()) as site.Site);
    refusal(await handOver(heir), "CANNOT_SIGN_IN");
    await sso.setStaff(true);
    success(await handOver(heir), 200);
    await expectSound();
  });

  it("ends the sessions of a new owner who needs a second factor", async () => {
    await site.change((await site.find()) as site.Site, { requireTwoFactor: true });
    const ada = await aReader();
    success(await handOver(ada), 200);
    refusal(await portal.profile(ada), "INVALID_TOKEN");
  });

  it("gives the site to one of two, whichever comes first", async () => {
    const ada = await aReader();
    const grace = await aReader();
    const first = async () => success(await handOver(grace), 200);
    const { slow } = await overtaken(() => handOver(ada), first, isTransaction);
    refusal(slow, "NOT_ENOUGH_PERMISSION");
    expect((await site.find())?.ownerId).toBe(grace.userId);
    await expectSound();
  });

  it("leaves one owner, wherever a call to the table is lost", async () => {
    for (let call = 1, isCut = true; isCut; call++) {
      const ada = await aReader();
      isCut = await cutAt(
        call,
        () => handOver(ada),
        () => "lose the answer",
      );
      const { ownerId = "" } = (await site.find()) ?? {};
      const present = ownerId === ada.userId ? ada : owner;
      const { results } = success(await invoke("users-list", { token: present.token }), 200);
      const owners = results.filter(({ role }: { role: string }) => role === "owner");
      expect(owners.map(({ userId }: Person) => userId)).toEqual([ownerId]);
      if (ownerId === ada.userId) success(await handOver(owner, ada), 200);
    }
    await portal.finishRenames();
    await expectSound();
  });
});
