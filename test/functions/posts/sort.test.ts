import { beforeEach, describe, expect, it } from "vitest";
import { derive } from "../../../lib/cleanup/derived-rows.ts";
import * as posts from "../../../lib/posts/posts.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { invoke } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectRanked, freshTable } from "../../support/setup.ts";
import { aBoard, aPost, aStranger, aUser, type Person } from "../../support/world/fixtures.ts";
import { generated } from "../../support/world/generated.ts";
import type { Random } from "../../support/world/random.ts";
import { type Filter, ModelledSite } from "./modelled-site.ts";

beforeEach(freshTable);

describe("sort", () => {
  it("refuses the cursor of another order", async () => {
    const author = await aUser();
    for (let n = 0; n < 3; n++) await derive((await aPost(author)).postId);
    const sorts = ["newest", "oldest", "top", "trending"];
    for (const from of sorts) {
      const after = (await portal.page({ sort: from, first: 1 })).page_info.end_cursor;
      for (const sort of sorts) {
        const { status, body } = await invoke("posts-list", { body: { sort, first: 1, after } });
        expect(status).toBe(sort === from ? 200 : 400);
        expect(body.code).toBe(sort === from ? undefined : "VALIDATION_ERROR");
      }
    }
  });

  it("sorts a page by votes that came after the last ranking", async () => {
    const author = await aUser();
    const low = await aPost(author);
    const high = await aPost(author);
    for (const { postId } of [low, high]) await derive(postId);
    await voting.cast(low.postId, aStranger(), { voters: await votes.summary(low.postId) });
    for (const sort of ["top", "trending"]) expect(await portal.ids({ sort })).toEqual([low.postId, high.postId]);
  });

  it("skips posts that were deleted, moved or given a status since they were ranked, and fills the page", async () => {
    const author = await aUser();
    const { boardId } = await aBoard();
    const aRankedPost = async (): Promise<posts.PostRecord> => {
      const post = await aPost(author, { boardId });
      await derive(post.postId);
      return post;
    };
    const kept = await aRankedPost();
    await posts.destroy(await aRankedPost());
    await posts.change(await aRankedPost(), () => ({ boardId: undefined }));
    await posts.setStatus(await aRankedPost(), { letter: "a" });
    const other = await aRankedPost();
    const found = await portal.ids({ sort: "top", boardId, status: "open", limit: 2 });
    expect(found).toEqual([other.postId, kept.postId]);
  });
});

describe("Every filter, order, limit, page and walk by cursor", () => {
  type Question = { sort: string; filter: Filter; limit: number; by: Person | undefined };

  function aQuestion(site: ModelledSite, { oneOf }: Random): Question {
    const sort = oneOf(["newest", "oldest", "top", "top", "trending", "trending"]);
    const filter = site.someFilter();
    const limit = oneOf([1, 2, 3, 7, 10, 50]);
    return { sort, filter, limit, by: oneOf([undefined, site.author, site.owner]) };
  }

  async function expectPage({ sort, filter, limit, by }: Question, page: number, all: string[]): Promise<void> {
    const asked = { sort, ...filter, limit, page };
    expect(await portal.ids(asked, by), JSON.stringify(asked)).toEqual(all.slice((page - 1) * limit, page * limit));
  }

  /** Walks by cursor, from the beginning over some pages. */
  async function expectWalk({ sort, filter, limit, by }: Question, all: string[]): Promise<void> {
    const asked = { sort, ...filter, first: limit };
    const about = JSON.stringify(asked);
    const walked: string[] = [];
    for (let after: string | undefined, hasNext: boolean = true; hasNext; ) {
      const { results, page_info, total_count } = await portal.page({ ...asked, after }, by);
      expect(total_count, about).toBe(all.length);
      walked.push(...results.map(({ postId }: { postId: string }) => postId));
      hasNext = page_info.has_next_page && walked.length < 3 * limit + 6;
      after = page_info.end_cursor;
    }
    expect(walked, about).toEqual(all.slice(0, walked.length));
    if (all.length <= 3 * limit) expect(walked.length, about).toBe(all.length);
  }

  generated("equals the model, with writes in between", async (dice) => {
    const { below, times } = dice;
    const site = await ModelledSite.make(dice);
    for (let number = 0; number < times(300); number++) {
      if (below(2) === 0) await site.write();
      await site.rank();
      const question = aQuestion(site, dice);
      const all = await site.idsOf(question.sort, question.filter, question.by);
      if (below(4) === 0) await expectWalk(question, all);
      else await expectPage(question, 1 + below(Math.ceil(all.length / question.limit) + 2), all);
    }
    await site.rank();
    await expectRanked();
  });
});
