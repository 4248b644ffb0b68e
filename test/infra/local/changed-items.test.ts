import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { changedItems } from "../../../infra/local/changed-items.ts";
import { notedIn } from "../../../infra/local/noted-posts.ts";
import type { Key } from "../../../lib/table/keys.ts";
import { aFolder } from "../../support/process/server-process.ts";
import { freshTable } from "../../support/setup.ts";
import { type Attempt, isTransaction, withFaults } from "../../support/store/faults.ts";
import { aMember, aPost, aVote } from "../../support/world/fixtures.ts";

let file: string;

beforeEach(async () => {
  await freshTable();
  file = join(aFolder(), "changed-posts");
});

function noted(): Set<string> {
  return new Set(readFileSync(file, "utf8").split("\n").filter(Boolean));
}

async function taken(changed: ReturnType<typeof changedItems>): Promise<string[]> {
  const ids = new Set<string>();
  await changed.take(async (keys: Key[]) => {
    for (const { sk } of keys) ids.add(sk.slice(0, 36));
  });
  return [...ids];
}

describe("Changed posts", () => {
  it("come first after the end of the process that changed them", async () => {
    const author = await aMember();
    const first = changedItems(["POSTS"], notedIn(file));
    const { postId } = await aPost(author);
    await aVote(postId, author);
    expect(noted()).toContain(postId);
    const second = changedItems(["POSTS"], notedIn(file));
    const other = await aPost(author);
    expect(await taken(second)).toEqual([postId, other.postId]);
    expect(noted().size).toBe(0);
    expect(await taken(first)).toContain(postId);
  });

  it("are all that wait if the process stopped in order, and the next one is not killed", async () => {
    const first = notedIn(file);
    first.add("post");
    expect(notedIn(file).areAll).toBe(false);
    first.end();
    const second = notedIn(file);
    expect(second.areAll).toBe(true);
    expect(second.read()).toEqual(["post"]);
    expect(notedIn(file).areAll).toBe(false);
  });

  it("include what a write changed that was carried out and not answered", async () => {
    const author = await aMember();
    const { postId } = await aPost(author);
    const changed = changedItems(["POSTS"], notedIn(file));
    const loses = (attempt: Attempt) => (isTransaction(attempt) ? "lose the answer" : "none");
    await expect(withFaults(loses, () => aVote(postId, author))).rejects.toThrow();
    expect([...noted()].join()).toContain(postId);
    expect(await taken(changed)).toEqual([postId]);
  });

  it("stay noted while they cannot be handed over", async () => {
    const changed = changedItems(["POSTS"], notedIn(file));
    const { postId } = await aPost(await aMember());
    await expect(changed.take(() => Promise.reject(new Error("no store")))).rejects.toThrow("no store");
    expect(noted()).toContain(postId);
    expect(await taken(changed)).toEqual([postId]);
    expect(noted().size).toBe(0);
  });
});
