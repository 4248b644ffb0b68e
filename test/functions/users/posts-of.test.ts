import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../../lib/values/ids.ts";
import { invoke, refusal, success } from "../../support/http/invoke.ts";
import { aBoard, aMember, aPost, aUser, aVote, type Person } from "../../support/world/fixtures.ts";

type Page = {
  results: { postId: string; voters: { viewerVote: unknown }; board: unknown }[];
  page_info: { has_next_page: boolean; end_cursor: string | null };
  user: object;
};

function call({ token }: Person, userId: string, query = {}) {
  return invoke("users-posts-of", { token, params: { userId }, query });
}

async function ask(caller: Person, { userId }: Person, query = {}): Promise<Page> {
  return success(await call(caller, userId, query), 200) as unknown as Page;
}

const idsOf = ({ results }: Page): string[] => results.map(({ postId }) => postId);

let moderator: Person;
let ada: Person;

beforeAll(async () => {
  moderator = await aUser("moderator");
  ada = await aMember("Ada");
});

describe("GET /users/{userId}/posts", () => {
  it("answers the person's posts alone, the newest first, page by page, and names the person", async () => {
    const made: string[] = [];
    for (let n = 0; n < 3; n++) made.unshift((await aPost(ada)).postId);
    await aPost(moderator);
    const first = await ask(moderator, ada, { first: "2" });
    expect(idsOf(first)).toEqual(made.slice(0, 2));
    expect(first.user).toMatchObject({ userId: ada.userId, name: "Ada", username: ada.username });
    expect(first.page_info.has_next_page).toBe(true);
    const second = await ask(moderator, ada, { first: "2", after: first.page_info.end_cursor });
    expect(idsOf(second)).toEqual(made.slice(2));
    expect(second.page_info.has_next_page).toBe(false);
  });

  it("shows the team the hidden board of a post, and the caller's own vote", async () => {
    const bob = await aMember();
    const { boardId } = await aBoard({ display: false });
    const { postId } = await aPost(bob, { boardId });
    await aVote(postId, bob);
    const before = await ask(moderator, bob);
    expect(before.results).toMatchObject([{ postId, board: { boardId }, voters: { viewerVote: null } }]);
    await aVote(postId, moderator);
    const [after] = (await ask(moderator, bob)).results;
    expect(after?.voters.viewerVote).toMatchObject({ userId: moderator.userId });
  });

  it("leaves out a deleted post, and knows a person without posts", async () => {
    const cleo = await aMember("Cleo");
    const { postId } = await aPost(cleo);
    await invoke("posts-delete", { token: cleo.token, body: { id: postId } });
    expect(await ask(moderator, cleo)).toMatchObject({ results: [], user: { name: "Cleo" } });
  });

  it("is the team's, and finds nobody by an id that no account has", async () => {
    refusal(await call(ada, ada.userId), "NOT_ENOUGH_PERMISSION");
    refusal(await call(moderator, newId()), "USER_NOT_FOUND");
    refusal(await call(moderator, "nobody"), "USER_NOT_FOUND");
  });
});
