import { beforeEach, describe, expect, it } from "vitest";
import { handler as listPosts } from "../../../functions/posts/list.ts";
import { handler as setStatus } from "../../../functions/posts/set-status.ts";
import { handler as list } from "../../../functions/statuses/list.ts";
import { handler as replace } from "../../../functions/statuses/replace.ts";
import { refusal, success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { expectSound } from "../../support/store/sound.ts";
import { aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";

type Listed = { id?: string; name: string; color: string; kind: string; archived?: boolean };

let owner: Person;

beforeEach(async () => {
  await freshTable();
  owner = await aUser("owner");
});

async function listed(): Promise<Listed[]> {
  return success(await invoke(list, {}), 200).statuses;
}

function put(statuses: unknown) {
  return invoke(replace, { token: owner.token, body: { statuses } });
}

const open: Listed = { id: "open", name: "New", color: "00aaff", kind: "open" };
const review: Listed = { name: "Under review", color: "aabbcc", kind: "planned" };

describe("GET /statuses", () => {
  it("answers everybody the five statuses that a site begins with", async () => {
    expect(await listed()).toStrictEqual([
      { id: "open", name: "Open", color: "64748b", kind: "open", archived: false },
      { id: "planned", name: "Planned", color: "3b82f6", kind: "planned", archived: false },
      { id: "started", name: "Started", color: "f59e0b", kind: "started", archived: false },
      { id: "completed", name: "Completed", color: "22c55e", kind: "completed", archived: false },
      { id: "declined", name: "Declined", color: "ef4444", kind: "declined", archived: false },
    ]);
  });
});

describe("PUT /statuses", () => {
  it("replaces the list: new ones get an id from their name, those left out are archived", async () => {
    const { statuses } = success(await put([review, open, { ...review, name: "under REVIEW!" }]), 200);
    expect(statuses.map(({ id, archived }: Listed) => [id, archived])).toEqual([
      ["under-review", false],
      ["open", false],
      [expect.stringMatching(/^under-review-[0-9a-f]{8}$/), false],
      ["planned", true],
      ["started", true],
      ["completed", true],
      ["declined", true],
    ]);
    expect(await listed()).toStrictEqual(statuses);
    await expectSound();
  });

  it("takes back the list that GET answers, and changes nothing by it", async () => {
    await put([open, review]);
    const before = await listed();
    expect(success(await put(before), 200).statuses).toStrictEqual(before);
    expect(await listed()).toStrictEqual(before);
  });

  it("can be sent again after a lost answer: new ones without an id are made once", async () => {
    const list = [open, review, { ...review, kind: "started" }, review, { ...review, name: "Old", archived: true }];
    const first = success(await put(list), 200);
    const names = first.statuses.map(({ id }: Listed) => id);
    expect(new Set(names).size).toBe(9);
    expect(success(await put(list), 200)).toStrictEqual(first);
    expect(success(await put(list), 200)).toStrictEqual(first);
    await expectSound();
  });

  it("takes an archived status for no new one, nor one that the list names", async () => {
    const [made] = success(await put([review, open]), 200).statuses;
    const again = success(await put([open]), 200).statuses;
    expect(again.find(({ id }: Listed) => id === made.id).archived).toBe(true);
    const [other] = success(await put([review, open]), 200).statuses;
    expect(other.id).not.toBe(made.id);
    const [third, named] = success(await put([review, { ...other, name: "Named" }, open]), 200).statuses;
    expect([named.id, [made.id, other.id].includes(third.id)]).toEqual([other.id, false]);
  });

  it("keeps the id of a status that is renamed; posts show the new name, archived or not", async () => {
    const { postId } = await aPost(await aMember());
    await invoke(setStatus, { token: owner.token, params: { postId }, body: { status: "planned" } });
    await put([open, { id: "planned", name: "Soon", color: "123456", kind: "planned" }]);
    const statusOf = async () => (await invoke(listPosts, { body: { status: "planned" } })).body.posts[0].status;
    expect(await statusOf()).toStrictEqual({ id: "planned", name: "Soon", color: "123456", kind: "planned" });
    await put([open]);
    expect((await statusOf()).name).toBe("Soon");
    const other = await aPost(await aMember());
    const to = (id: string) => ({ token: owner.token, params: { postId: id }, body: { status: "planned", text: "x" } });
    refusal(await invoke(setStatus, to(other.postId)), "STATUS_NOT_FOUND");
    // A post that has the archived status keeps it, and can be answered.
    expect(success(await invoke(setStatus, to(postId)), 200).post.response.text).toBe("x");
  });

  it("wants the status of new posts, an id once, known ids and at most twenty", async () => {
    refusal(await put([review]), "VALIDATION_ERROR", "body.statuses");
    refusal(await put([]), "VALIDATION_ERROR", "body.statuses");
    refusal(await put([{ ...open, kind: "declined" }]), "VALIDATION_ERROR", "body.statuses");
    refusal(await put([{ ...open, archived: true }]), "VALIDATION_ERROR", "body.statuses");
    refusal(await put([open, open]), "VALIDATION_ERROR", "body.statuses");
    refusal(await put([open, { ...review, kind: "later" }]), "VALIDATION_ERROR", "body.statuses.1.kind");
    refusal(await put([open, { ...review, id: "nobody-knows" }]), "STATUS_NOT_FOUND");
    // An id that the same list makes is not known yet.
    refusal(await put([open, review, { ...review, id: "under-review" }]), "STATUS_NOT_FOUND");
    refusal(await put([open, ...Array(20).fill(review)]), "VALIDATION_ERROR", "body.statuses");
    // Five exist: one is listed, fifteen more make twenty.
    expect((await put([open, ...Array(16).fill(review)])).body.code).toBe("VALIDATION_ERROR");
    expect(success(await put([open, ...Array(15).fill(review)]), 200).statuses).toHaveLength(20);
    refusal(await put([...(await listed()), review].slice(0, 21)), "VALIDATION_ERROR", "body.statuses");
    // An archived one can be used again.
    const again = (await listed()).map((each) =>
      each.id === "planned" ? { ...review, id: "planned", name: "Next" } : each,
    );
    expect(success(await put(again), 200).statuses).toContainEqual(
      expect.objectContaining({ ...review, id: "planned", name: "Next", archived: false }),
    );
    await expectSound();
  });

  it("applies lists that are sent at once one after the other, so that no status is lost", async () => {
    const names = ["Alpha", "Beta", "Gamma", "Delta"];
    const replies = await Promise.all(names.map((name) => put([open, { ...review, name }])));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const ids = (await listed()).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["alpha", "beta", "gamma", "delta", "planned"]));
    expect((await listed()).filter(({ archived }) => !archived)).toHaveLength(2);
    await expectSound();
  });
});
