import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findAllWaiting } from "../../../lib/posts/held.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { atOnce, invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { overtaken } from "../../support/store/faults.ts";
import { aWorld, type World } from "../../support/world/examples.ts";
import { aMember, aPost, type Person } from "../../support/world/fixtures.ts";
import { aHeldComment, aHeldPost, aReport, heldBy } from "../../support/world/held.ts";
import { tracesOf } from "../../support/world/traces.ts";

let world: World;
let author: Person;

beforeAll(async () => {
  world = await aWorld();
});

beforeEach(async () => {
  author = await aMember("Ada Lovelace");
});

afterEach(expectSound);

function withdraw(heldId: string, by = author) {
  return portal.withdraw(heldId, by);
}

function decide(decision: string, id: string) {
  return portal.decide(decision, [id], world.moderator);
}

describe("DELETE /users/profile/held/{heldId}", () => {
  it("takes a post and a comment out of the queue, and leaves nothing of them", async () => {
    const { postId } = await aPost(world.author);
    const post = await aHeldPost(author, { title: "Canary 7f2a" });
    const comment = await aHeldComment(postId, author, { body: "Canary 7f2a" });
    const kept = await aHeldPost(author);
    for (const { id } of [post, comment]) success(await withdraw(id), 204);
    const { results } = success(await invoke("users-held", { token: author.token }), 200);
    expect(results.map(({ id }: { id: string }) => id)).toEqual([kept.id]);
    expect(await heldBy(author)).toBe(1);
    expect(await findAllWaiting([post.id, comment.id])).toEqual([]);
    expect(await tracesOf([{ userId: "nobody", texts: ["Canary 7f2a"] }])).toEqual([]);
    refusal(await decide("approve", post.id), "ALREADY_DECIDED");
  });

  it("finds nothing that waits no more, or never did", async () => {
    const held = await aHeldPost(author);
    success(await withdraw(held.id), 204);
    refusal(await withdraw(held.id), "HELD_NOT_FOUND");
    refusal(await withdraw("my-post"), "HELD_NOT_FOUND");
    const approved = await aHeldPost(author);
    success(await decide("approve", approved.id), 200);
    refusal(await withdraw(approved.id), "HELD_NOT_FOUND");
    expect(await posts.find(approved.id)).toBeDefined();
  });

  it("leaves what others wrote, and what was reported", async () => {
    const held = await aHeldPost(author);
    refusal(await withdraw(held.id, world.member), "HELD_NOT_FOUND");
    refusal(await withdraw(held.id, world.owner), "HELD_NOT_FOUND");
    const reported = await aReport(await aPost(author), world.member);
    refusal(await withdraw(reported), "HELD_NOT_FOUND");
    expect(await findAllWaiting([held.id, reported])).toHaveLength(2);
  });

  it("ends the wait once, also while the team decides", async () => {
    for (const decision of ["approve", "decline"]) {
      const first = await aHeldPost(author);
      const late = await overtaken(
        () => decide(decision, first.id),
        () => withdraw(first.id),
      );
      success(late.fast, 204);
      refusal(late.slow, "ALREADY_DECIDED");
      expect(await posts.find(first.id)).toBeUndefined();
      const second = await aHeldPost(author);
      const tooLate = await overtaken(
        () => withdraw(second.id),
        () => decide(decision, second.id),
      );
      success(tooLate.fast, 200);
      refusal(tooLate.slow, "HELD_NOT_FOUND");
    }
    const { id } = await aHeldPost(author);
    const replies = await atOnce(5, () => withdraw(id));
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await heldBy(author)).toBe(0);
  });
});
