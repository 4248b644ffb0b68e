import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { endpoints } from "../../functions/index.ts";
import { scan } from "../../infra/operator/check-table/check.ts";
import * as users from "../../lib/accounts/users.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { newId } from "../../lib/values/ids.ts";
import * as votes from "../../lib/votes/votes.ts";
import { atOnce, endpointNamed, invoke, type Request, refusal, success, tally } from "../support/http/invoke.ts";
import { logLines } from "../support/http/logs.ts";
import * as portal from "../support/portal.ts";
import { expectSound } from "../support/setup.ts";
import { writesIn } from "../support/store/calls.ts";
import { Killed, overtaken, withFaults } from "../support/store/faults.ts";
import { aWorld, endpointsWithExample, exampleOf, type World } from "../support/world/examples.ts";
import { aBoard, aKey, aMember, aPost, aUser } from "../support/world/fixtures.ts";

const createPost = endpointNamed("posts-create");
const createComment = endpointNamed("comments-create");
const makers = endpointsWithExample.filter(({ endpoint }) => endpoint.definition.idempotency);

let world: World;
beforeAll(async () => {
  world = await aWorld();
});

async function under(endpoint: Endpoint, idempotencyKey: string): Promise<Request> {
  return {
    token: world.owner.token,
    ...(await exampleOf(endpoint).make(world)),
    headers: { "idempotency-key": idempotencyKey },
  };
}

function isReplayed({ headers }: { headers: Record<string, string> }): boolean {
  return headers["idempotency-replayed"] === "true";
}

/** What is answered again: all but the secret of an API key, which is told once. */
function withoutSecret({ secret: _, ...body }: Record<string, unknown>): object {
  return body;
}

/** Calls in parallel: CALLS=8 each night. */
const CALLS = Number(process.env.CALLS ?? 2);

async function itemsNow(): Promise<unknown[]> {
  return (await scan())
    .filter(({ pk }) => !pk.startsWith("IDEMPOTENCY#"))
    .sort((a, b) => (`${a.pk}${a.sk}` < `${b.pk}${b.sk}` ? -1 : 1));
}

describe("Idempotency-Key", () => {
  it("works with every POST of a caller that makes something", () => {
    expect(makers.map(({ name }) => name).sort()).toEqual([
      "boards-create",
      "comments-create",
      "keys-create",
      "posts-create",
      "providers-create",
      "roadmaps-create",
      "tags-create",
      "votes-add",
      "votes-assign",
      "webhooks-create",
    ]);
    for (const { definition } of endpoints) {
      if (definition.idempotency) {
        expect(definition.method).toBe("POST");
        expect(definition.access).toBe("bearer");
      }
    }
  });

  it("repeats no answer to a caller who has lost the right to it", async () => {
    const { owner, moderator, author } = world;
    const { postId } = await aPost(author);
    const headers = { "idempotency-key": newId() };
    const former = await aUser("moderator");
    const note = { token: former.token, headers, params: { postId }, body: { body: "A note", is_internal: true } };
    success(await invoke(createComment, note), 201);
    expect(isReplayed(await invoke(createComment, note))).toBe(true);
    await users.changeRole({ ...former, keyIds: [] }, "member");
    refusal(await invoke(createComment, note), "NOT_ENOUGH_PERMISSION");
    const post = { token: owner.token, headers, body: { title: "On behalf", authorId: moderator.userId } };
    success(await invoke(createPost, post), 201);
    const { text } = await aKey(owner, ["post:create"]);
    refusal(await invoke(createPost, { ...post, token: text }), "NOT_ENOUGH_PERMISSION");
  });

  it.each(makers)(
    "$name gives the first answer again, also to a call that another one overtook",
    async ({ endpoint }) => {
      const request = await under(endpoint, newId());
      const call = () => invoke(endpoint, request);
      const { slow, fast } = await overtaken(call, call);
      const made = withoutSecret(success(fast, endpoint.definition.success));
      const before = await itemsNow();
      const again = await call();
      for (const reply of [slow, again]) expect(success(reply, endpoint.definition.success)).toEqual(made);
      expect([fast, slow, again].map(isReplayed)).toEqual([false, true, true]);
      expect(writesIn(again)).toEqual([]);
      expect(await itemsNow()).toEqual(before);
      await expectSound();
    },
  );

  it.each(makers)(
    `$name makes one thing of ${CALLS} calls in parallel that are killed at any store call and sent again`,
    async ({ endpoint }) => {
      const made: number[] = [];
      for (let last = 1, calls = 1; calls >= last; last++) {
        const request = await under(endpoint, newId());
        const before = (await itemsNow()).length;
        const send = () => atOnce(CALLS, () => invoke(endpoint, request));
        calls = 0;
        // The answer to the last call is lost, and no other call is made.
        const nextFault = () => {
          calls++;
          if (calls < last) return "none";
          return calls === last ? "die" : new Killed();
        };
        await withFaults(nextFault, send);
        const replies = await send();
        expect(tally(replies)).toEqual({ [endpoint.definition.success]: CALLS });
        expect(replies.filter((reply) => !isReplayed(reply)).length).toBeLessThanOrEqual(1);
        const things = replies.map(({ body }) => body.voters?.viewerVote ?? withoutSecret(body));
        expect(things).toEqual(things.map(() => things[0]));
        made.push((await itemsNow()).length - before);
      }
      // The first thing may add counts of its day.
      expect(new Set(made.slice(1)).size).toBe(1);
      await expectSound();
    },
  );

  it.each(makers)(
    "$name refuses another request under the same key, also to another endpoint",
    async ({ endpoint }) => {
      const headerKey = newId();
      const request = await under(endpoint, headerKey);
      success(await invoke(endpoint, request), endpoint.definition.success);
      const { postId } = await aPost(world.author);
      const others: Record<string, Request> = {
        "votes-add": { body: { postId } },
        "votes-assign": { params: { ...request.params, postId } },
        "posts-create": { body: { title: "Another" } },
        "comments-create": { body: { body: "Another" } },
        "keys-create": { body: { name: "Another", scopes: ["post:create"] } },
        "providers-create": { body: { ...(request.body as object), name: "Another" } },
        "tags-create": { body: { tag: { name: newId() } } },
        "webhooks-create": { body: { ...(request.body as object), description: "Another" } },
      };
      const other = others[endpoint.definition.name] ?? { body: { name: "Another" } };
      const reply = await invoke(endpoint, { ...request, ...other });
      refusal(reply, "IDEMPOTENCY_KEY_REUSED");
      expect(writesIn(reply)).toEqual([]);
      const elsewhere = makers.find((maker) => maker.endpoint !== endpoint)?.endpoint as Endpoint;
      refusal(await invoke(elsewhere, await under(elsewhere, headerKey)), "IDEMPOTENCY_KEY_REUSED");
    },
  );

  const malformed = ["", " ", "short", '"123456"', 'ab"cdefgh', "x".repeat(65), "a blank", "käse-key-1", '"unbalanced'];

  it.each(makers)("$name refuses a malformed key", async ({ endpoint }) => {
    for (const bad of malformed) {
      refusal(await invoke(endpoint, await under(endpoint, bad)), "VALIDATION_ERROR", "headers.idempotency-key");
    }
  });

  it("covers the caller's same request in another form: quotes, any case, other fields and order", async () => {
    const { token } = await aMember();
    const key = newId();
    const body = { title: "Dark mode", contentMarkdown: "At night." };
    const headers = { "idempotency-key": key };
    const first = await invoke(createPost, { token, headers, body });
    const same = { more: 1, contentMarkdown: "At night.", title: " Dark mode " };
    // In quotes, as in the draft of the IETF.
    const again = await invoke(createPost, { token, headers: { "Idempotency-Key": `"${key}"` }, body: same });
    expect(success(again, 201)).toEqual(first.body);
    expect(isReplayed(again)).toBe(true);
    const ofAnother = await invoke(createPost, { token: (await aMember()).token, headers, body });
    expect(success(ofAnother, 201).post.postId).not.toBe(first.body.post.postId);
    expect(isReplayed(ofAnother)).toBe(false);
  });

  it("stays good after a call that is refused", async () => {
    const headers = { "idempotency-key": newId() };
    const { token } = await aMember();
    const nowhere = { title: "Dark mode", boardId: newId() };
    refusal(await invoke(createPost, { token, headers, body: nowhere }), "BOARD_NOT_FOUND");
    const { body } = await invoke(createPost, { token, headers, body: { title: "Dark mode" } });
    expect(body.post.title).toBe("Dark mode");
  });

  it("gives the first answer also after the board of the post is gone, and the post too", async () => {
    const headers = { "idempotency-key": newId() };
    const owner = await aUser("owner");
    const { boardId } = await aBoard();
    const request = { token: owner.token, headers, body: { title: "Dark mode", boardId } };
    const first = success(await invoke(createPost, request), 201);
    success(await invoke("boards-delete", { token: owner.token, body: { boardId } }), 204);
    success(await portal.deletePost(first.post, owner), 204);
    const again = await invoke(createPost, request);
    expect(success(again, 201)).toEqual(first);
    expect(isReplayed(again)).toBe(true);
  });

  it("never repeats a vote that was taken back, and answers the present voters", async () => {
    const voter = await aMember();
    const post = await aPost(voter);
    const { postId } = post;
    const request = { token: voter.token, headers: { "idempotency-key": newId() }, body: { postId } };
    success(await invoke("votes-add", request), 201);
    await portal.unvote(post, voter);
    const again = success(await invoke("votes-add", request), 201);
    expect(again.voters).toEqual({ votes: [], votesCount: 0, viewerVote: null });
    expect((await votes.summary(postId))?.count).toBe(0);
    await portal.deletePost(post, voter);
    refusal(await invoke("votes-add", request), "POST_NOT_FOUND");
  });

  it("changes nothing for calls that make nothing", async () => {
    const { postId } = await aPost(world.author);
    const headers = { "idempotency-key": "no good" };
    success(await invoke("votes-remove", { token: world.member.token, headers, body: { postId } }), 200);
  });

  it("reaches the table as a hash, and no log line", async () => {
    const canary = "canary-key-41f7";
    const start = logLines.length;
    await invoke(createPost, await under(createPost, canary));
    await invoke(createPost, await under(createPost, canary));
    const other = { ...(await under(createPost, canary)), body: { title: "Other" } };
    refusal(await invoke(createPost, other), "IDEMPOTENCY_KEY_REUSED");
    await sleep(0);
    expect(logLines.slice(start).filter((line) => line.includes(canary))).toEqual([]);
    const stored = inspect(await scan(), { depth: null, maxArrayLength: null, maxStringLength: null });
    expect(stored).not.toContain(canary);
  });

  // The last test: the ids that it makes are of a time to come.
  it("expires after a day, also before DynamoDB deletes it", async () => {
    const request = await under(endpointNamed("boards-create"), newId());
    const start = Date.now();
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const isReplayedAfter = async (minutes: number) => {
      vi.setSystemTime(start + minutes * 60_000);
      return isReplayed(await invoke("boards-create", request));
    };
    const day = 24 * 60;
    expect(await isReplayedAfter(0)).toBe(false);
    expect(await isReplayedAfter(day - 1)).toBe(true);
    expect(await isReplayedAfter(day + 1)).toBe(false);
    expect(await isReplayedAfter(day + 2)).toBe(true);
  });
});
