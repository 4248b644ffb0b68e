import { describe, expect, it } from "vitest";
import { boards, lastDay, posts, roadmaps, voters, writers } from "../../../../infra/local/demo/demo-set.ts";
import { statusKinds } from "../../../../lib/values/statuses.ts";

const authors = ["member", "moderator", ...Object.keys(writers)];
const boardUrls = boards.map(({ url }) => url);
const roadmapUrls = [undefined, ...roadmaps.map(({ url }) => url)];

describe("A post of the demo set", () => {
  it("holds a key of its own", () => {
    expect(new Set(posts.map(({ key }) => key)).size).toBe(posts.length);
  });

  it.each(posts)(
    "names what exists: $key",
    ({ board, roadmap, author, status = "open", votes, day, comments = [] }) => {
      expect(boardUrls).toContain(board);
      expect(roadmapUrls).toContain(roadmap);
      expect(authors).toContain(author);
      expect(statusKinds).toContain(status);
      expect(votes).toBeLessThanOrEqual(voters.length);
      expect(day).toBeLessThanOrEqual(lastDay);
      const keys: (string | undefined)[] = [undefined];
      for (const comment of comments) {
        expect(authors).toContain(comment.author);
        expect(keys).toContain(comment.answers);
        expect(keys).not.toContain(comment.key);
        expect(comment.day).toBeGreaterThanOrEqual(day);
        expect(comment.day).toBeLessThanOrEqual(lastDay);
        keys.push(comment.key);
      }
    },
  );
});
