import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { beforeEach, describe, expect, it } from "vitest";
import { apiAt } from "../../../portal/api.ts";
import { type Activity, comments, putComment, threadsOf } from "../../../portal/comments.ts";
import { begin, useRead } from "../../../portal/data.ts";

const POST = "post";

function comment(id: string, parentId?: string): Activity {
  return { id, type: "comment", comment: { body: id, parent_id: parentId } } as unknown as Activity;
}

type PageOf = { ids: string[]; isOldestFirst: boolean; takesNew: boolean; after?: string };

/** What the browser has read of a page of comments, by its key. */
function pageOf({ ids, isOldestFirst, takesNew, after }: PageOf) {
  const { key } = comments(POST, false, isOldestFirst, after);
  return { [key]: { data: { activity: ids.map((id) => comment(id)), isOldestFirst, takesNew } } };
}

/** The comments that a page shows now. */
function shown(isOldestFirst: boolean, after?: string): string[] {
  let ids: string[] = [];
  const Page = () => {
    ids = useRead(comments(POST, false, isOldestFirst, after)).data?.activity.map(({ id }) => id) ?? [];
    return null;
  };
  renderToString(h(Page, {}));
  return ids;
}

describe("A new comment", () => {
  beforeEach(() => {
    begin(apiAt("http://localhost"), {
      ...pageOf({ ids: ["4", "3"], isOldestFirst: false, takesNew: true }),
      ...pageOf({ ids: ["1", "2"], isOldestFirst: true, takesNew: false }),
    });
  });

  it("stands on top of the newest, and not on a page of the oldest that ends before it", () => {
    expect(putComment(POST, "pending", false, comment("5"))).toBe(true);
    expect(shown(false)).toEqual(["5", "4", "3"]);
    expect(shown(true)).toEqual(["1", "2"]);
  });

  it("is shown elsewhere if the page of the reader's order does not take it", () => {
    expect(putComment(POST, "pending", true, comment("5"))).toBe(false);
  });

  it("stands on the page of what it answers, in either order", () => {
    expect(putComment(POST, "pending", true, comment("5", "2"))).toBe(true);
    expect(shown(true)).toEqual(["1", "2", "5"]);
  });

  it("ends the last page of the oldest", () => {
    begin(apiAt("http://localhost"), {
      ...pageOf({ ids: ["1", "2"], isOldestFirst: true, takesNew: false }),
      ...pageOf({ ids: ["3"], isOldestFirst: true, takesNew: true, after: "2" }),
    });
    expect(putComment(POST, "pending", true, comment("4"))).toBe(true);
    expect(shown(true)).toEqual(["1", "2"]);
    expect(shown(true, "2")).toEqual(["3", "4"]);
  });
});

it("Replies stand below what they answer, the oldest first, in either order", () => {
  const oldest = [comment("1"), comment("2", "1"), comment("3"), comment("4", "1")];
  const idsOf = (threads: ReturnType<typeof threadsOf>) =>
    threads.map(({ item, replies }) => [item.id, replies.map((reply) => reply.item.id)]);
  const expected = [
    ["1", ["2", "4"]],
    ["3", []],
  ];
  expect(idsOf(threadsOf(oldest, true))).toEqual(expected);
  expect(idsOf(threadsOf(oldest.toReversed(), false))).toEqual(expected.toReversed());
});
