import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { demoSetOf } from "../../../../infra/local/demo/demo-set.ts";

const FILE = join(import.meta.dirname, "../../../../infra/local/demo/demo-set.json");

/** The demo set with its first post changed. */
function withPost(change: object): unknown {
  const set = JSON.parse(readFileSync(FILE, "utf8"));
  set.posts[0] = { ...set.posts[0], ...change };
  return set;
}

function aComment(change: object): object {
  return { key: "one", author: "member", day: 10, text: ["Yes."], ...change };
}

describe("demo-set.json", () => {
  it("the demo set is valid", () => {
    expect(() => demoSetOf(withPost({}))).not.toThrow();
  });

  it.each([
    [{ board: "web-ap" }, 'no board has the url "web-ap"', "posts[0].board"],
    [{ roadmap: "q3" }, 'no roadmap has the url "q3"', "posts[0].roadmap"],
    [{ author: "ada" }, '"ada" is not a key of writers, member or moderator', "posts[0].author"],
    [{ key: "thank-you" }, 'another post has the key "thank-you"', "posts[41].key"],
    [{ votes: 122, memberVotes: true }, "there are only 120 voters", "posts[0].votes"],
    [{ day: 64 }, "the demo ends on day 63", "posts[0].day"],
    [{ content: "one text" }, "Invalid input: expected array, received string", "posts[0].content"],
    [
      { status: "plannd" },
      'Invalid option: expected one of "open"|"planned"|"started"|"completed"|"declined"',
      "posts[0].status",
    ],
    [
      { comments: [aComment({ author: "ada" })] },
      '"ada" is not a key of writers, member or moderator',
      "posts[0].comments",
    ],
    [{ comments: [aComment({}), aComment({})] }, 'another comment has the key "one"', "posts[0].comments"],
    [{ comments: [aComment({ answers: "two" })] }, 'no comment before has the key "two"', "posts[0].comments"],
    [{ comments: [aComment({ day: 1 })] }, 'the comment "one" is not between the post and day 63', "posts[0].comments"],
    [{ roadmapp: "planned" }, 'Unrecognized key: "roadmapp"', "posts[0]"],
  ])("a post with %j is refused with the reason and the place", (change, reason, place) => {
    expect(() => demoSetOf(withPost(change))).toThrow(`infra/local/demo/demo-set.json:\n✖ ${reason}\n  → at ${place}`);
  });
});
