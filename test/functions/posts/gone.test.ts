import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../functions/index.ts";
import * as lists from "../../../lib/lists/lists.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { invoke, refusal } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { aWorld, goodRequest, type World } from "../../support/world/examples.ts";
import { aComment, aPost } from "../../support/world/fixtures.ts";

// A deleted post is gone for every endpoint from the moment of its deletion, although its comments and votes are in the
// table until the sweep.

const ofPosts = endpoints.filter(({ definition }) => definition.errors.includes("POST_NOT_FOUND"));

let world: World;

beforeAll(async () => {
  await freshTable();
  world = await aWorld();
});

async function deleteAllPosts(): Promise<void> {
  const listed = await lists.read({ order: "desc", offset: 0, limit: 50 });
  for (const { post } of listed) await posts.destroy(post);
}

describe("A post that was deleted a moment ago", () => {
  it("concerns every endpoint below /posts/{postId}", () => {
    const below = endpoints.filter(({ definition }) => definition.path.startsWith("/posts/{postId}"));
    expect(below.filter((endpoint) => !ofPosts.includes(endpoint))).toEqual([]);
  });

  it.each(ofPosts.map((endpoint) => ({ endpoint, name: endpoint.definition.name })))(
    "stays unknown to $name",
    async ({ endpoint }) => {
      const request = await goodRequest(endpoint, world);
      await deleteAllPosts();
      refusal(await invoke(endpoint, request), "POST_NOT_FOUND");
    },
  );

  it("hides its notes, and refuses a change of a comment that would change nothing", async () => {
    const { postId } = await aPost(world.author);
    const { body, commentId } = await aComment(postId, world.author);
    const note = await aComment(postId, world.moderator, { isInternal: true });
    await deleteAllPosts();
    const { token } = world.moderator;
    refusal(
      await invoke("comments-update", { token, params: { postId, commentId }, body: { body } }),
      "POST_NOT_FOUND",
    );
    const params = { postId, commentId: note.commentId };
    refusal(await invoke("comments-by-id", { token, params }), "POST_NOT_FOUND");
    refusal(await invoke("comments-delete", { token, params }), "POST_NOT_FOUND");
  });
});
