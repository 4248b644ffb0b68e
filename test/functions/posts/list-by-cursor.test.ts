import { describe, expect, it } from "vitest";
import { handler as list } from "../../../functions/posts/list.ts";
import { refusal } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { aBoard, aMember, aPost } from "../../support/world/fixtures.ts";

// That a page by cursor holds the posts of the page by number, with every filter: list.model.test.ts.

describe("POST /posts/get by cursor", () => {
  it("answers paging fields from page to page", async () => {
    const author = await aMember();
    const { boardId } = await aBoard();
    for (let n = 0; n < 9; n++) await aPost(author, { boardId });
    const pages = await portal.walk((cursor) => portal.page({ boardId, first: 4, ...cursor }));
    for (const [n, { posts, results, page_info, total_count, total_pages }] of pages.entries()) {
      expect(posts).toEqual(results);
      expect(page_info).toMatchObject({ count: results.length, current_page: n + 1, has_next_page: n < 2 });
      expect({ total_count, total_pages }).toEqual({ total_count: 9, total_pages: 3 });
    }
    expect(pages.flatMap(({ posts }) => posts)).toEqual(await portal.list({ boardId }));
  });

  it.each([{ first: 0 }, { first: "x" }, { after: "" }, { after: 5 }, { after: "bm8" }])("refuses %j", async (body) => {
    refusal(await invoke(list, { body }), "VALIDATION_ERROR", `body.${Object.keys(body)[0]}`);
  });
});
