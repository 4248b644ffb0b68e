import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as mailTokens from "../../lib/accounts/mail-tokens.ts";
import { setFields } from "../../lib/table/changes.ts";
import { key } from "../../lib/table/keys.ts";
import { transact } from "../../lib/table/transactions.ts";
import { invoke, refusal, success } from "../support/http/invoke.ts";
import * as portal from "../support/portal.ts";
import { newContainer } from "../support/setup.ts";
import { writesIn } from "../support/store/calls.ts";
import { aWorld, endpointsWithExample, exampleOf, type World } from "../support/world/examples.ts";
import { aMember, aPost, aUser } from "../support/world/fixtures.ts";

let world: World;
beforeAll(async () => {
  world = await aWorld();
  newContainer({ REQUIRE_VERIFIED: "on" });
});
afterAll(() => newContainer({ REQUIRE_VERIFIED: "" }));

describe("REQUIRE_VERIFIED", () => {
  it("refuses posts, comments, votes and reports, and nothing else, without a confirmed address, the owner's too", async () => {
    const refused: string[] = [];
    for (const { name, endpoint } of endpointsWithExample) {
      const { token = world.owner.token, ...request } = await exampleOf(endpoint).make(world);
      // An earlier example may have confirmed it.
      await transact({ owner: setFields(key.user(world.owner.userId), { isVerified: undefined }) });
      const reply = await invoke(endpoint, { ...request, token });
      if (reply.body?.code !== "EMAIL_NOT_VERIFIED") continue;
      refused.push(name);
      refusal(reply, "EMAIL_NOT_VERIFIED");
      expect(writesIn(reply)).toEqual([]);
    }
    const expected = ["comments-create", "comments-report", "posts-create", "posts-report", "votes-add"];
    expect(refused.sort()).toEqual(expected);
  });

  it("applies after the permission and before the input, until users have confirmed their address", async () => {
    refusal(await portal.post({ title: 5 }, await aUser("suspended")), "NOT_ENOUGH_PERMISSION");
    const ada = await aMember();
    const post = await aPost(world.author);
    for (const title of [5, "An idea"]) refusal(await portal.post({ title }, ada), "EMAIL_NOT_VERIFIED");
    refusal(await portal.vote(post, ada), "EMAIL_NOT_VERIFIED");
    const token = await mailTokens.issue("verify-email", ada);
    success(await invoke("auth-email-validate", { token: ada.token, body: { token } }), 200);
    refusal(await portal.post({ title: 5 }, ada), "VALIDATION_ERROR");
    success(await portal.post({ title: "An idea" }, ada), 201);
    success(await portal.vote(post, ada), 201);
  });
});
