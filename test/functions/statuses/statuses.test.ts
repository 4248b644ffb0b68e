import { beforeEach, describe, expect, it } from "vitest";
import { handler as list } from "../../../functions/statuses/list.ts";
import { atOnce, invoke, refusal, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { overtaken } from "../../support/store/faults.ts";
import { aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";

type Listed = { id?: string; name: string; color: string; kind: string; archived?: boolean };

const open: Listed = { id: "open", name: "New", color: "00aaff", kind: "open" };
const review: Listed = { name: "Under review", color: "aabbcc", kind: "planned" };

let owner: Person;
beforeEach(async () => {
  await freshTable();
  owner = await aUser("owner");
});

async function listed(): Promise<Listed[]> {
  return success(await invoke(list, {}), 200).statuses;
}

function send(statuses: unknown[]) {
  return invoke("statuses-replace", { token: owner.token, body: { statuses } });
}

async function put(...statuses: Listed[]): Promise<Listed[]> {
  return success(await send(statuses), 200).statuses;
}

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
  it("replaces the list: gives new statuses an id from their name, archives the missing ones, keeps the others", async () => {
    const statuses = await put(review, open, { ...review, name: "under REVIEW!" });
    expect(statuses).toMatchObject([
      { id: "under-review", archived: false },
      { id: "open", archived: false },
      { id: expect.stringMatching(/^under-review-[0-9a-f]{8}$/), archived: false },
      { id: "planned", archived: true },
      { id: "started", archived: true },
      { id: "completed", archived: true },
      { id: "declined", archived: true },
    ]);
    expect(await listed()).toStrictEqual(statuses);
    expect(await put(...statuses)).toStrictEqual(statuses);
    await expectSound();
  });

  it("makes new statuses once if a list is sent again after a lost answer", async () => {
    const sent = [open, review, { ...review, kind: "started" }, review, { ...review, name: "Old", archived: true }];
    const first = await put(...sent);
    expect(new Set(first.map(({ id }) => id)).size).toBe(9);
    for (const _ of [2, 3]) expect(await put(...sent)).toStrictEqual(first);
    await expectSound();
  });

  it("makes a new status rather than reuse an archived one of the same name", async () => {
    const [first] = await put(review, open);
    expect((await put(open)).find(({ id }) => id === first?.id)?.archived).toBe(true);
    const [second] = await put(review, open);
    expect(second?.id).not.toBe(first?.id);
    const [third, named] = await put(review, { ...(second as Listed), name: "Named" }, open);
    expect(named?.id).toBe(second?.id);
    expect([first?.id, second?.id]).not.toContain(third?.id);
  });

  it("shows the new name of a status on its posts, archived or not, and gives an archived one to no other", async () => {
    const post = await aPost(await aMember());
    await portal.setStatus(post, { status: "planned" }, owner);
    const soon = { id: "planned", name: "Soon", color: "123456", kind: "planned" };
    for (const statuses of [[open, soon], [open]]) {
      await put(...statuses);
      expect((await portal.list({ status: "planned" }))[0]?.status).toStrictEqual(soon);
    }
    const response = { status: "planned", text: "x" };
    refusal(await portal.setStatus(await aPost(await aMember()), response, owner), "STATUS_NOT_FOUND");
    expect(success(await portal.setStatus(post, response, owner), 200).post.response.text).toBe("x");
  });

  it.each([
    ["a list without the status of new posts", [review]],
    ["an empty list", []],
    ["another kind for the status of new posts", [{ ...open, kind: "declined" }]],
    ["an archived status of new posts", [{ ...open, archived: true }]],
    ["an id twice", [open, open]],
    // Five exist: one is listed, sixteen more make 21.
    ["more than twenty with the archived ones", [open, ...Array(16).fill(review)]],
    ["an id of another type than text", [open, { ...review, id: 7 }], ".1.id"],
    ["an unknown kind", [open, { ...review, kind: "later" }], ".1.kind"],
  ])("refuses %s", async (_, statuses, field = "") => {
    refusal(await send(statuses), "VALIDATION_ERROR", `body.statuses${field}`);
  });

  it("refuses an unknown id, also one that the same list makes", async () => {
    refusal(await send([open, { ...review, id: "nobody-knows" }]), "STATUS_NOT_FOUND");
    refusal(await send([open, review, { ...review, id: "under-review" }]), "STATUS_NOT_FOUND");
  });

  it("accepts twenty, of which an archived one can be used again", async () => {
    const twenty = await put(open, ...Array(15).fill(review));
    expect(twenty).toHaveLength(20);
    refusal(await send([...twenty, review]), "VALIDATION_ERROR", "body.statuses");
    const next = { ...review, id: "planned", name: "Next" };
    const again = await put(...twenty.map((each) => (each.id === "planned" ? next : each)));
    expect(again).toContainEqual({ ...next, archived: false });
    await expectSound();
  });

  it("applies lists sent in parallel one after the other, so that no status is lost", async () => {
    const names = ["Alpha", "Beta", "Gamma", "Delta"] as const;
    await atOnce(4, (n) => put(open, { ...review, name: names[n] as string }));
    const statuses = await listed();
    const ids = ["alpha", "beta", "gamma", "delta", "planned"];
    expect(statuses.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(statuses.filter(({ archived }) => !archived)).toHaveLength(2);
    await expectSound();
  });
});

describe("DELETE /statuses/{statusId}", () => {
  const remove = (statusId: string) => invoke("statuses-delete", { token: owner.token, params: { statusId } });
  const give = (post: { postId: string }, status: string, text?: string) =>
    portal.setStatus(post, { status, text }, owner);

  it("makes room for another status, which no response to a post shows in its place", async () => {
    const post = await aPost(await aMember());
    await give(post, "declined", "Sorry");
    await give(post, "open");
    await put(open, ...Array(15).fill(review));
    success(await remove("declined"), 204);
    expect((await listed()).map(({ id }) => id)).not.toContain("declined");
    const [next] = await put({ ...review, name: "Next" }, ...(await listed()));
    expect(success(await give(post, next?.id as string), 200).post).toMatchObject({
      status: { name: "Next" },
      response: { text: "Sorry", status: null, by: owner.userId },
    });
    await expectSound();
  });

  it("refuses a status that posts have, a live one, and an unknown one", async () => {
    const post = await aPost(await aMember());
    await give(post, "planned");
    await put(open, { id: "started", name: "Started", color: "f59e0b", kind: "started" });
    for (const id of ["planned", "started", "open"]) refusal(await remove(id), "STATUS_IN_USE");
    refusal(await remove("nobody-knows"), "STATUS_NOT_FOUND");
    await portal.deletePost(post, owner);
    success(await remove("planned"), 204);
  });

  it("wins over a call that gives the status to a post: that one finds it gone", async () => {
    const post = await aPost(await aMember());
    const { slow } = await overtaken(
      () => give(post, "planned"),
      async () => {
        await put(open);
        return remove("planned");
      },
    );
    refusal(slow, "STATUS_NOT_FOUND");
    await expectSound();
  });

  it("fails if a post got the status after the counts were read", async () => {
    const post = await aPost(await aMember());
    await put(open);
    const planned = { id: "planned", name: "Planned", color: "3b82f6", kind: "planned" };
    const { slow } = await overtaken(
      () => remove("planned"),
      async () => {
        await put(open, planned);
        await give(post, "planned");
        await put(open);
      },
    );
    refusal(slow, "STATUS_IN_USE");
    await expectSound();
  });

  it("leaves an archived status with the one post that has it, whatever changes in parallel", async () => {
    const post = await aPost(await aMember());
    await give(post, "planned");
    await put(open);
    const { slow } = await overtaken(
      () => give(post, "planned", "Soon"),
      async () => {
        await give(post, "open");
        return remove("planned");
      },
    );
    refusal(slow, "STATUS_NOT_FOUND");
    await expectSound();
  });
});
