import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as erasures from "../../../lib/accounts/erasures.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as boards from "../../../lib/catalogue/boards.ts";
import * as erasing from "../../../lib/cleanup/erasures.ts";
import * as audit from "../../../lib/events/audit.ts";
import * as events from "../../../lib/events/events.ts";
import { cursorOf } from "../../../lib/http/pages.ts";
import { findAllWaiting, MOST_HELD } from "../../../lib/posts/held.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { SETTLE_MS } from "../../../lib/table/settling.ts";
import { newId, timeOf } from "../../../lib/values/ids.ts";
import { aTime, atOnce, crowdOf, invoke, refusal, success } from "../../support/http/invoke.ts";
import { logLines } from "../../support/http/logs.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { costOf, measured } from "../../support/store/calls.ts";
import { cutAt, type Fault, isTransaction, Killed, overtaken } from "../../support/store/faults.ts";
import { aWorld, type World } from "../../support/world/examples.ts";
import { aBoard, aComment, aKey, aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";
import { aHeldComment, aHeldPost, aReport, heldBy } from "../../support/world/held.ts";
import { mergeInto } from "../../support/world/merges.ts";
import { tracesOf } from "../../support/world/traces.ts";
import { LONGEST_TEXT, worstOf } from "../../support/world/worst-calls.ts";

type Waiting = { id: string };
type Result = { id: string; outcome: string };

let world: World;
let author: Person;

beforeAll(async () => {
  world = await aWorld();
});

beforeEach(async () => {
  author = await aMember("Ada Lovelace");
});

afterEach(expectSound);

function decide(decision: string, things: Waiting[], by: Person = world.moderator) {
  const ids = things.map(({ id }) => id);
  return portal.decide(decision, ids, by);
}

/** The process of a call dies behind one call to the table: it makes no further one. */
function killed(): () => Fault {
  let isDead = false;
  return () => {
    if (isDead) return new Killed();
    isDead = true;
    return "die";
  };
}

async function outcomes(decision: string, things: Waiting[], by?: Person): Promise<string[]> {
  const { results } = success(await decide(decision, things, by), 200);
  expect(results.map(({ id }: Result) => id)).toEqual(things.map(({ id }) => id));
  return results.map(({ outcome }: Result) => outcome);
}

async function queue(query: Record<string, string> = {}) {
  return success(await invoke("moderation-list", { token: world.moderator.token, query }), 200);
}

/** The types of the events about a post or comment, in their order, and who did each. */
async function eventsOf(id: string): Promise<[type: string, by: string][]> {
  const { items } = await events.first({}, 500);
  return items
    .filter(({ postId, commentId }) => (commentId ?? postId) === id)
    .map(({ type, by }): [string, string] => [type, by]);
}

describe("The queue", () => {
  it("shows held posts and comments, the oldest first, with all that a decision needs", async () => {
    const { boardId } = await aBoard({ name: "Ideas" });
    const post = await aPost(world.author, { title: "Dark mode" });
    const first = await aHeldPost(author, { boardId, title: "Light mode", contentMarkdown: "By **day**." });
    const second = await aHeldComment(post.postId, author, { body: "Me too." });
    const { results } = await queue();
    const shown = results.slice(-2);
    expect(shown[0]).toMatchObject({
      ...{ id: first.id, kind: "post", reasons: ["first"], title: "Light mode", text: "By **day**.", post: null },
      board: { boardId, name: "Ideas" },
      author: { userId: author.userId, name: "Ada Lovelace" },
      since: new Date(timeOf(first.id)).toISOString(),
    });
    expect(shown[1]).toMatchObject({
      ...{ id: second.id, kind: "comment", reasons: ["all"], title: null, text: "Me too.", board: null },
      post: { postId: post.postId, title: "Dark mode", slug: post.slug },
    });
  });

  it("names the post on which an approved comment will be, where a merge has brought it elsewhere", async () => {
    const post = await aPost(world.author);
    const between = await aPost(world.author);
    const last = await aPost(world.author, { title: "Dark mode" });
    const held = await aHeldComment(post.postId, author);
    await mergeInto(post, between.postId);
    await mergeInto(between, last.postId);
    const { results } = await queue();
    const shown = results.find(({ id }: Waiting) => id === held.id);
    expect(shown.post).toEqual({ postId: last.postId, title: "Dark mode", slug: last.slug });
    success(await decide("decline", [held]), 200);
  });

  it("is read page by page, and whole whatever is decided meanwhile", async () => {
    const things = [];
    for (let n = 0; n < 5; n++) things.push(await aHeldPost(author));
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { results, page_info } = await queue({ first: "2", ...(after && { after }) });
      seen.push(...results.map(({ id }: Waiting) => id));
      await decide("decline", results);
      after = page_info.has_next_page ? page_info.end_cursor : undefined;
    } while (after);
    for (const { id } of things) expect(seen.filter((each) => each === id)).toHaveLength(1);
    expect(await heldBy(author)).toBe(0);
  });

  it("stays readable at one price, however much waits with however long texts", async () => {
    const things: Waiting[] = [];
    for (let n = 0; n < 24; n++) {
      if (n % 12 === 0) author = await aMember();
      things.push(await aHeldPost(author, { contentMarkdown: LONGEST_TEXT }));
    }
    const request = { token: world.moderator.token, query: { after: cursorOf([1, things[0]?.id ?? ""]) } };
    const { body, calls } = await measured(() => invoke("moderation-list", request));
    expect(body.results).toHaveLength(20);
    expect(body.page_info.has_next_page).toBe(true);
    expect(costOf(calls).readUnits).toBeLessThanOrEqual(worstOf("moderation-list").reads);
    for (const some of [things.slice(0, 20), things.slice(20)]) success(await decide("decline", some), 200);
  });

  it("is for the team", async () => {
    refusal(await invoke("moderation-list", { token: author.token }), "NOT_ENOUGH_PERMISSION");
    refusal(await decide("approve", [await aHeldPost(author)], author), "NOT_ENOUGH_PERMISSION");
  });
});

describe("An approval", () => {
  it("creates the post under its id, as if it were new", async () => {
    const { boardId } = await aBoard();
    const held = await aHeldPost(author, { boardId, title: "Light mode", contentMarkdown: "By day." });
    expect(await outcomes("approve", [held])).toEqual(["approved"]);
    const post = await posts.find(held.id);
    expect(post).toMatchObject({ title: "Light mode", contentMarkdown: "By day.", boardId });
    expect(await portal.shownPost({ slug: post?.slug ?? "" })).toMatchObject({ author: { userId: author.userId } });
    expect(await eventsOf(held.id)).toEqual([
      ["post.created", author.userId],
      ["post.approved", world.moderator.userId],
    ]);
    success(await portal.vote({ postId: held.id }, world.member), 201);
    expect(await users.find(author.userId)).toMatchObject({ held: 0, accepted: true });
  });

  it("is news to who reads events by their order, though the id is old", async () => {
    const held = await aHeldPost(author);
    const later = await aPost(world.author);
    success(await decide("approve", [held]), 200);
    const { items } = await events.first({}, 500);
    const eventOf = (id: string) => items.find(({ type, postId }) => type === "post.created" && postId === id)?.eventId;
    expect(String(eventOf(held.id)) > String(eventOf(later.postId))).toBe(true);
  });

  it("creates the comment on its post, and on the one in which that continues", async () => {
    const post = await aPost(world.author);
    const parent = await aComment(post.postId, world.member);
    const held = await aHeldComment(post.postId, author, { body: "Me too.", parentId: parent.commentId });
    const target = await aPost(world.author);
    const moved = await aHeldComment(post.postId, author, { body: "Me three." });
    expect(await outcomes("approve", [held])).toEqual(["approved"]);
    await mergeInto(post, target.postId);
    expect(await outcomes("approve", [moved])).toEqual(["approved"]);
    for (const { id, body } of [held, moved]) {
      const params = { postId: target.postId, commentId: id };
      const { activity } = success(await invoke("comments-by-id", { token: author.token, params }), 200);
      expect(activity).toMatchObject({ author: { userId: author.userId }, comment: { body } });
      expect(await eventsOf(id)).toEqual([["comment.created", author.userId]]);
    }
  });

  it("uses the name and board of now, and another board if that is gone", async () => {
    const board = await aBoard();
    const held = await aHeldPost(author, { boardId: board.boardId });
    await users.changeProfile((await users.find(author.userId)) as users.UserRecord, { name: "Ada King" });
    await boards.remove(board);
    expect(await outcomes("approve", [held])).toEqual(["approved"]);
    const post = await posts.find(held.id);
    expect(post?.author.name).toBe("Ada King");
    expect(post?.boardId).toBe((await boards.all()).find(({ display }) => display)?.boardId);
  });

  it("takes out what cannot be created any more: the post of the comment, or the author, is gone", async () => {
    const post = await aPost(world.author);
    const comment = await aHeldComment(post.postId, author);
    await posts.destroy(post);
    expect(await outcomes("approve", [comment])).toEqual(["gone"]);
    const held = await aHeldPost(author);
    await erasures.erase(author.userId, await users.findWithKeys(author.userId), { by: author.userId, votes: "keep" });
    expect(await outcomes("approve", [held])).toEqual(["gone"]);
    expect(await posts.find(held.id)).toBeUndefined();
    await erasing.carryOut(author.userId);
  });

  it("is named in the log: who, whose, what", async () => {
    const held = await aHeldPost(author);
    success(await decide("approve", [held]), 200);
    const line = JSON.parse(logLines.at(-1) ?? "{}");
    expect(line).toMatchObject({
      userId: world.moderator.userId,
      account: author.userId,
      item: held.id,
      to: "approve",
    });
  });
});

describe("A refusal", () => {
  it("leaves nothing of it, and its author may send more", async () => {
    const held = await aHeldPost(author, { title: "Canary 3c1d" });
    expect(await outcomes("decline", [held])).toEqual(["declined"]);
    expect(await heldBy(author)).toBe(0);
    expect(await eventsOf(held.id)).toEqual([]);
    expect(await findAllWaiting([held.id])).toEqual([]);
  });

  it("suspends the author too, if the caller may change roles", async () => {
    const held = [await aHeldPost(author), await aHeldPost(author)];
    refusal(await decide("suspend", held), "NOT_ENOUGH_PERMISSION");
    expect(await outcomes("suspend", held, world.owner)).toEqual(["suspended", "suspended"]);
    expect((await users.find(author.userId))?.role).toBe("suspended");
    const logged = logLines.map((line) => JSON.parse(line)).filter(({ message }) => message === "suspended");
    expect(logged[0]).toMatchObject({ account: author.userId, to: "suspended" });
    refusal(await portal.post({ title: "More" }, author), "NOT_ENOUGH_PERMISSION");
  });

  it("suspends the author, and declines what else of theirs is held", async () => {
    const held = await aHeldPost(author);
    await aHeldPost(author);
    await aHeldPost(author);
    const { further } = success(await decide("suspend", [held], world.owner), 200);
    expect(further).toBe(2);
    expect(await heldBy(author)).toBe(0);
  });

  it("suspends the author and leaves nothing held, while others decide what else is held", async () => {
    const held = [await aHeldPost(author), await aHeldPost(author), await aHeldPost(author)];
    const replies = await Promise.all([
      decide("suspend", held.slice(0, 1), world.owner),
      decide("approve", held.slice(1, 2)),
      decide("decline", held.slice(2)),
    ]);
    success(replies[0], 200);
    expect((await users.find(author.userId))?.role).toBe("suspended");
    expect(await heldBy(author)).toBe(0);
  });

  it.each([
    ["held", (person: Person) => aHeldPost(person)],
    ["reported", async (person: Person) => ({ id: await aReport(await aPost(person), world.member) })],
  ])(
    "suspends an author once and whole if the same call is repeated, wherever the first one was killed: %s",
    async (kind, make) => {
      for (let call = 1, isCut = true; isCut; call++) {
        const person = await aMember();
        const named = [await make(person), await aHeldPost(person)];
        await aHeldPost(person);
        await aHeldPost(person);
        const suspend = () => decide("suspend", named, world.owner);
        isCut = await cutAt(call, suspend, killed());
        success(await suspend(), 200);
        expect((await users.find(person.userId))?.role).toBe("suspended");
        expect(await heldBy(person)).toBe(0);
        expect(await findAllWaiting(named.map(({ id }) => id))).toEqual([]);
        const { records } = await audit.read({ account: person.userId }, 50);
        const items = records.map(({ item, to }) => [to, item]);
        expect(items.sort()).toEqual(
          [
            ["suspended", named[0]?.id],
            ["decline", person.userId],
            [kind === "held" ? "decline" : "remove", named[0]?.id],
            ["decline", named[1]?.id],
          ].sort(),
        );
      }
    },
  );

  it("suspends an author whole if the same call is repeated, though it names one thing alone", async () => {
    // Of the suspension, of the text that was not named, and of the named one.
    for (let transaction = 1; transaction <= 3; transaction++) {
      const person = await aMember();
      const named = await aHeldPost(person);
      await aHeldPost(person);
      const suspend = () => decide("suspend", [named], world.owner);
      expect(await cutAt(transaction, suspend, () => new Killed(), isTransaction)).toBe(true);
      expect(success(await suspend(), 200).results).toEqual([{ id: named.id, outcome: "suspended" }]);
      expect(await heldBy(person)).toBe(0);
      refusal(await suspend(), "ALREADY_DECIDED");
    }
  });

  it("declines twenty further texts in a call, and the rest of an author with one of these", async () => {
    const last = await aMember();
    const named = [await aHeldPost(author), await aHeldPost(last)];
    const left: Waiting[] = [];
    for (let n = 1; n < MOST_HELD; n++) {
      await aHeldPost(author);
      left.push(await aHeldPost(last));
    }
    expect(success(await decide("suspend", named, world.owner), 200).further).toBe(MOST_HELD);
    expect(await heldBy(author)).toBe(0);
    expect(await heldBy(last)).toBe(MOST_HELD - 2);
    const { results, further } = success(await decide("suspend", left.slice(0, 1), world.owner), 200);
    expect(results).toEqual([{ id: left[0]?.id, outcome: "suspended" }]);
    expect(further).toBe(MOST_HELD - 3);
    expect(await heldBy(last)).toBe(0);
  });

  it("reads no texts that it declines with a suspension", async () => {
    const named = await aHeldPost(author);
    for (let n = 1; n < MOST_HELD; n++) await aHeldPost(author, { contentMarkdown: LONGEST_TEXT });
    const { body, calls } = await measured(() => decide("suspend", [named], world.owner));
    expect(body.further).toBe(MOST_HELD - 1);
    expect(costOf(calls).readUnits).toBeLessThanOrEqual(12);
  });

  it.each([
    ["its author has withdrawn it", "suspended", ({ id }: Waiting) => portal.withdraw(id, author)],
    ["another person has declined it", "suspended", (held: Waiting) => decide("decline", [held])],
    ["another person has approved it", "already_decided", (held: Waiting) => decide("approve", [held])],
  ])("that suspends says what holds of a held text, if meanwhile %s: %s", async (_, outcome, meanwhile) => {
    const held = await aHeldPost(author);
    const { slow } = await overtaken(
      () => decide("suspend", [held], world.owner),
      () => meanwhile(held),
    );
    expect(success(slow, 200).results).toEqual([{ id: held.id, outcome }]);
    expect((await users.find(author.userId))?.role).toBe("suspended");
    expect(await posts.find(held.id)).toEqual(outcome === "suspended" ? undefined : expect.anything());
  });

  it.each([
    ["deleted", "suspended", "decline"],
    ["kept", "already_decided", "approve"],
  ])("that suspends says what holds of a reported post that was %s meanwhile: %s", async (_, outcome, decision) => {
    const { postId: id } = await aPost(author);
    await aReport({ postId: id }, world.member);
    const { slow } = await overtaken(
      () => decide("suspend", [{ id }], world.owner),
      () => decide(decision, [{ id }]),
    );
    expect(success(slow, 200).results).toEqual([{ id, outcome }]);
    expect((await users.find(author.userId))?.role).toBe("suspended");
  });

  it("suspends nobody of the team", async () => {
    const later = await aUser("moderator");
    const held = await aHeldPost(later);
    expect(await outcomes("suspend", [held], world.owner)).toEqual(["declined"]);
    expect((await users.find(later.userId))?.role).toBe("moderator");
  });
});

describe("A decision", () => {
  it("is made once: the second one learns it", async () => {
    const held = await aHeldPost(author);
    const other = await aHeldPost(author);
    success(await decide("approve", [held]), 200);
    const late = await decide("decline", [held]);
    refusal(late, "ALREADY_DECIDED");
    // So it is of what its author has withdrawn.
    expect(late.body.message).toBe("This no longer waits for the team");
    refusal(await decide("approve", [{ id: newId() }]), "ALREADY_DECIDED");
    expect(await outcomes("approve", [held, other])).toEqual(["already_decided", "approved"]);
  });

  it("is for one to twenty things, each once", async () => {
    const ids = Array.from({ length: 21 }, () => ({ id: newId() }));
    refusal(await decide("approve", ids), "VALIDATION_ERROR", "body.ids");
    refusal(await decide("approve", []), "VALIDATION_ERROR", "body.ids");
    refusal(await decide("approve", [ids[0], ids[0]] as Waiting[]), "VALIDATION_ERROR", "body.ids");
    refusal(await decide("delete", ids.slice(1)), "VALIDATION_ERROR", "body.decision");
  });

  it("counts once for each thing, with one event, whatever many moderators decide in parallel", async () => {
    const post = await aPost(world.author);
    const things: Waiting[] = [];
    for (let n = 0; n < 4; n++) {
      const person = await aMember();
      things.push(await aHeldPost(person), await aHeldComment(post.postId, person));
    }
    const key = await aKey(world.owner);
    const replies = await atOnce(crowdOf(50), (n) =>
      decide(n % 3 === 0 ? "decline" : "approve", things, { ...world.moderator, token: key.text }),
    );
    const decided = replies.flatMap((reply) => success(reply, 200).results as Result[]);
    for (const { id } of things) {
      const mine = decided.filter((result) => result.id === id).map(({ outcome }) => outcome);
      const counted = mine.filter((outcome) => outcome !== "already_decided");
      expect(counted).toHaveLength(1);
      const created = (await eventsOf(id)).filter(([type]) => type.endsWith(".created"));
      expect(created).toHaveLength(counted[0] === "approved" ? 1 : 0);
    }
  });
});

describe("An erased account", () => {
  it("takes its held posts and comments with it", async () => {
    const post = await aPost(world.author);
    const heldPost = await aHeldPost(author, { title: "Canary 3c1d" });
    const heldComment = await aHeldComment(post.postId, author, { body: "Canary 3c1d" });
    await erasures.erase(author.userId, await users.findWithKeys(author.userId), { by: author.userId, votes: "keep" });
    await erasing.carryOut(author.userId, Date.now() + SETTLE_MS);
    expect(await findAllWaiting([heldPost.id, heldComment.id])).toEqual([]);
    expect(await tracesOf([{ userId: author.userId, texts: ["Canary 3c1d"] }])).toEqual([]);
  });
});

describe("The export of a person", () => {
  it("has what of theirs waits", async () => {
    const held = await aHeldPost(author, { title: "Light mode", contentMarkdown: "By day." });
    const data = success(await invoke("users-export", { token: author.token }), 200);
    expect(data.held).toEqual([
      { id: held.id, kind: "post", since: aTime, title: "Light mode", text: "By day.", forPost: null },
    ]);
  });
});
