import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { takesIfMatch } from "../../lib/http/definition.ts";
import * as posts from "../../lib/posts/posts.ts";
import { atOnce, invoke, type Reply, refusal, success, tally } from "../support/http/invoke.ts";
import { expectSound } from "../support/setup.ts";
import { writesIn } from "../support/store/calls.ts";
import { overtaken } from "../support/store/faults.ts";
import { aWorld, type World } from "../support/world/examples.ts";
import { aMember, aPost, aRoadmap, aTag } from "../support/world/fixtures.ts";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});

function call(
  endpoint: string,
  body: object | undefined,
  ifMatch?: string,
  params: Record<string, string> = {},
  { token } = world.owner,
) {
  return invoke(endpoint, { token, body, params, ...(ifMatch !== undefined && { headers: { "If-Match": ifMatch } }) });
}

function tagIn({ headers }: Reply): string {
  return headers.etag ?? "no tag";
}

type Subject = { change: (number: number, ifMatch?: string) => Promise<Reply>; shows: (number: number) => object };

const OPEN = { id: "open", name: "Open", color: "64748b", kind: "open" };
const ARCHIVED = ["planned", "started", "completed", "declined"].map((id) => ({ id, archived: true }));
function roleOf(number: number): string {
  return number % 2 === 1 ? "moderator" : "member";
}

const subjects: Record<string, () => Promise<Subject>> = {
  "posts-update": async () => {
    const { postId: id } = await aPost(world.owner);
    return {
      change: (n, ifMatch) => call("posts-update", { id, title: `Title ${n}` }, ifMatch),
      shows: (n) => ({ post: { title: `Title ${n}` } }),
    };
  },
  "boards-update": async () => {
    const { board } = success(await call("boards-create", {}), 201);
    return {
      change: (n, ifMatch) => call("boards-update", { boardId: board.boardId, name: `Name ${n}` }, ifMatch),
      shows: (n) => ({ board: { name: `Name ${n}` } }),
    };
  },
  "roadmaps-update": async () => {
    const { roadmap } = success(await call("roadmaps-create", {}), 201);
    return {
      change: (n, ifMatch) => call("roadmaps-update", { id: roadmap.id, name: `Name ${n}` }, ifMatch),
      shows: (n) => ({ roadmap: { name: `Name ${n}` } }),
    };
  },
  "posts-set-status": async () => {
    const { postId } = await aPost(world.owner);
    return {
      change: (n, ifMatch) => call("posts-set-status", { status: "open", text: `Text ${n}` }, ifMatch, { postId }),
      shows: (n) => ({ post: { response: { text: `Text ${n}` } } }),
    };
  },
  "posts-set-tags": async () => {
    const { postId } = await aPost(world.owner);
    const tags = await Promise.all(Array.from({ length: 30 }, () => aTag()));
    const idOf = (n: number) => tags[n]?.tagId;
    return {
      change: (n, ifMatch) => call("posts-set-tags", { tags: [idOf(n)] }, ifMatch, { postId }),
      shows: (n) => ({ post: { tags: [{ id: idOf(n) }] } }),
    };
  },
  "settings-update-moderation": async () => ({
    change: (n, ifMatch) => call("settings-update-moderation", { words: [`Word ${n}`] }, ifMatch),
    shows: (n) => ({ moderation: { words: [`Word ${n}`] } }),
  }),
  "statuses-replace": async () => ({
    change: (n, ifMatch) => call("statuses-replace", { statuses: [{ ...OPEN, name: `Name ${n}` }] }, ifMatch),
    shows: (n) => ({ statuses: [{ id: "open", name: `Name ${n}` }, ...ARCHIVED] }),
  }),
  "users-update": async () => {
    const { userId } = await aMember();
    return {
      change: (n, ifMatch) => call("users-update", { role: roleOf(n) }, ifMatch, { userId }),
      shows: (n) => ({ user: { role: roleOf(n) } }),
    };
  },
  "users-update-profile": async () => {
    const member = await aMember();
    return {
      change: (n, ifMatch) => call("users-update-profile", { name: `Name ${n}` }, ifMatch, {}, member),
      shows: (n) => ({ user: { name: `Name ${n}` } }),
    };
  },
  "settings-update": async () => ({
    change: (n, ifMatch) => call("settings-update", { description: `Text ${n}` }, ifMatch),
    shows: (n) => ({ settings: { description: `Text ${n}` } }),
  }),
  "settings-update-labs": async () => ({
    change: (n, ifMatch) => call("settings-update-labs", { voteOnBehalf: n % 2 === 1 }, ifMatch),
    shows: (n) => ({ labs: { voteOnBehalf: n % 2 === 1 } }),
  }),
};

// Two values are all that these have.
const oneOfTwo = ["settings-update-labs", "users-update"];

const cases = Object.entries(subjects).map(([name, make]) => ({ name, make }));

describe("If-Match", () => {
  it("works with every PATCH and PUT whose answer has a tag", () => {
    const taking = endpoints.filter(({ definition }) => takesIfMatch(definition));
    const all = [...Object.keys(subjects), "roadmaps-sort"];
    expect(taking.map(({ definition: { name } }) => name).sort()).toEqual(all.sort());
  });

  it.each(cases)("$name changes the state that it names, and no other", async ({ make }) => {
    const { change, shows } = await make();
    const first = await change(1);
    const second = await change(2, tagIn(first));
    expect(success(second, 200)).toMatchObject(shows(2));
    expect(tagIn(second)).not.toBe(tagIn(first));
    const stale = await change(3, tagIn(first));
    refusal(stale, "CHANGED_MEANWHILE");
    expect(writesIn(stale)).toEqual([]);
    // Also where nothing would change.
    refusal(await change(2, tagIn(first)), "CHANGED_MEANWHILE");
    expect(success(await change(3, `"other", ${tagIn(second)}`), 200)).toMatchObject(shows(3));
    expect(success(await change(4, "*"), 200)).toMatchObject(shows(4));
    expect(success(await change(5), 200)).toMatchObject(shows(5));
    await expectSound();
  });

  it.each(cases)("$name accepts one of the changes of a state, overtaken or in parallel", async ({ name, make }) => {
    const { change, shows } = await make();
    const tag = tagIn(await change(0));
    const { slow, fast } = await overtaken(
      () => change(1, tag),
      () => change(1, tag),
    );
    refusal(slow, "CHANGED_MEANWHILE");
    expect(success(fast, 200)).toMatchObject(shows(1));
    const replies = await atOnce(12, (n) => change(oneOfTwo.includes(name) ? 0 : 10 + n, tagIn(fast)));
    expect(tally(replies)).toEqual({ 200: 1, "412 CHANGED_MEANWHILE": 11 });
    await expectSound();
  });

  it.each(cases)(
    "$name refuses a header that is not a tag, and writes the same values once",
    async ({ name, make }) => {
      const { change, shows } = await make();
      const tag = tagIn(await change(1));
      for (const bad of ["", " ", "abc", '"abc', `${tag} ${tag}`, `${tag},`, "W/abc", "*, *", '"käse"']) {
        refusal(await change(2, bad), "VALIDATION_ERROR", "headers.if-match");
      }
      // No weak tag matches.
      refusal(await change(2, `W/${tag}`), "CHANGED_MEANWHILE");
      const again = await change(1, tag);
      expect(success(again, 200)).toMatchObject(shows(1));
      expect(tagIn(again)).toBe(tag);
      // A list of statuses is written whole.
      if (name !== "statuses-replace") expect(writesIn(again)).toEqual([]);
    },
  );

  it("matches the tag in every answer with the thing, whether it was made, changed or read", async () => {
    const read = (endpoint: string, params = {}) => call(endpoint, undefined, undefined, params);
    const made = await call("boards-create", {});
    const ofRoadmap = await call("roadmaps-create", {});
    const { board } = success(made, 201);
    const { roadmap } = success(ofRoadmap, 201);
    // A post on it does not change the board.
    await call("posts-create", { title: "One more", boardId: board.boardId });
    const pairs = [
      [made, await read("boards-by-url", { url: board.url })],
      [made, await call("boards-update", { boardId: board.boardId }, tagIn(made))],
      [await call("roadmaps-update", { id: roadmap.id, display: true }), await read("roadmaps-by-url", roadmap)],
      [await call("settings-update", {}), await read("settings-site")],
      [await call("users-update-profile", { name: "Olga" }), await read("users-profile")],
      [await call("statuses-replace", { statuses: [{ ...OPEN, name: "New" }] }), await read("statuses-list")],
    ] as const;
    for (const replies of pairs) {
      const [one, other] = replies.map(tagIn);
      expect(one).toMatch(/^"/);
      expect(other).toBe(one);
    }
  });

  it("expects a post's updatedAt, which a change of its text or of its status moves on", async () => {
    const { post } = success(await call("posts-create", { title: "Tagged" }), 201);
    const { postId } = post;
    const setStatus = (body: object, ifMatch: string) => call("posts-set-status", body, ifMatch, { postId });
    const changed = await call("posts-update", { id: postId, title: "Changed" }, `"${post.updatedAt}"`);
    expect(tagIn(changed)).toBe(`"${success(changed, 200).post.updatedAt}"`);
    refusal(await setStatus({ status: "open", text: "Late." }, `"${post.updatedAt}"`), "CHANGED_MEANWHILE");
    const answered = await setStatus({ status: "open", text: "Soon." }, tagIn(changed));
    expect(tagIn(answered)).toBe(`"${success(answered, 200).post.updatedAt}"`);
    refusal(await call("posts-update", { id: postId, title: "Late" }, tagIn(changed)), "CHANGED_MEANWHILE");
    expect((await posts.find(postId))?.title).toBe("Changed");
  });

  it("expects the role in quotes for an account, as clients have it from the list of accounts", async () => {
    const { userId } = await aMember();
    const change = (role: string, ifMatch: string) => call("users-update", { role }, ifMatch, { userId });
    success(await change("moderator", '"member"'), 200);
    refusal(await change("suspended", '"member"'), "CHANGED_MEANWHILE");
    success(await change("suspended", '"member", "moderator"'), 200);
  });

  it("moves a roadmap in the order that it names, once", async () => {
    const [to, from] = [await aRoadmap(), await aRoadmap()].map(({ roadmapId }) => ({ id: roadmapId }));
    const sort = (ifMatch: string) => call("roadmaps-sort", { to, from }, ifMatch);
    const shown = await call("roadmaps-browse", undefined);
    const replies = await atOnce(6, () => sort(tagIn(shown)));
    expect(tally(replies)).toEqual({ 200: 1, "412 CHANGED_MEANWHILE": 5 });
    const moved = await call("roadmaps-browse", undefined);
    expect(moved.body.roadmaps.slice(-2)).toMatchObject([from, to]);
    expect(replies.map(({ headers }) => headers.etag)).toContain(tagIn(moved));
    success(await sort(tagIn(moved)), 200);
    expect((await call("roadmaps-browse", undefined)).body).toEqual(shown.body);
  });

  it("still matches after a sort of the roadmaps", async () => {
    const { roadmap } = success(await call("roadmaps-create", {}), 201);
    const tag = tagIn(await call("roadmaps-update", { id: roadmap.id }));
    const other = await aRoadmap();
    await call("roadmaps-sort", { from: { id: roadmap.id }, to: { id: other.roadmapId } });
    success(await call("roadmaps-update", { id: roadmap.id, name: "Moved" }, tag), 200);
  });
});
