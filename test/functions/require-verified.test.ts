import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handler as emailValidate } from "../../functions/auth/email-validate.ts";
import { handler as createPost } from "../../functions/posts/create.ts";
import { handler as addVote } from "../../functions/votes/add.ts";
import * as mailTokens from "../../lib/accounts/mail-tokens.ts";
import { key } from "../../lib/table/keys.ts";
import { update } from "../../lib/table/parts.ts";
import { transact } from "../../lib/table/transactions.ts";
import { newContainer } from "../support/container.ts";
import { refusal, success } from "../support/http/answers.ts";
import { invoke } from "../support/http/invoke.ts";
import { aWorld, endpointsWithExample, exampleOf, type World } from "../support/world/examples.ts";
import { aMember, aPost, aUser, type Person } from "../support/world/fixtures.ts";

let world: World;

/** Marks addresses as confirmed. */
async function confirm(...people: Person[]): Promise<void> {
  for (const { userId } of people) {
    const confirmed = update(key.user(userId), "SET isVerified = :true", { values: { ":true": true } });
    await transact({ confirmed });
  }
}

beforeAll(async () => {
  world = await aWorld();
  newContainer({ REQUIRE_VERIFIED: "on" });
});
afterAll(() => newContainer({ REQUIRE_VERIFIED: "" }));

describe("REQUIRE_VERIFIED", () => {
  it("refuses new posts and votes, and nothing else, without a confirmed address, the owner's too", async () => {
    const refused: string[] = [];
    for (const { name, endpoint } of endpointsWithExample) {
      const { token = world.owner.token, ...request } = await exampleOf(endpoint).make(world);
      const reply = await invoke(endpoint, { ...request, token });
      if (reply.body?.code !== "EMAIL_NOT_VERIFIED") continue;
      refused.push(name);
      refusal(reply, "EMAIL_NOT_VERIFIED");
      expect(reply.calls.filter(({ writeUnits }) => writeUnits > 0)).toEqual([]);
    }
    expect(refused.sort()).toEqual(["posts-create", "votes-add"]);
  });

  it("lets users post and vote as soon as they have confirmed their address", async () => {
    const ada = await aMember();
    const { token } = ada;
    const { postId } = await aPost(world.author);
    const post = () => invoke(createPost, { token, body: { title: "An idea" } });
    const vote = () => invoke(addVote, { token, body: { postId } });
    refusal(await post(), "EMAIL_NOT_VERIFIED");
    refusal(await vote(), "EMAIL_NOT_VERIFIED");
    const mailed = await mailTokens.issue("verify-email", ada);
    success(await invoke(emailValidate, { token, body: { token: mailed } }), 200);
    success(await post(), 201);
    success(await vote(), 201);
  });

  it("is checked after the permission and before the input", async () => {
    const suspended = await aUser("suspended");
    const body = { title: 5 };
    refusal(await invoke(createPost, { token: suspended.token, body }), "NOT_ENOUGH_PERMISSION");
    refusal(await invoke(createPost, { token: world.member.token, body }), "EMAIL_NOT_VERIFIED");
    await confirm(world.member);
    refusal(await invoke(createPost, { token: world.member.token, body }), "VALIDATION_ERROR");
  });
});
