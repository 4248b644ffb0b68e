import { beforeEach, describe, expect, it } from "vitest";
import { EventItem, type EventRecord } from "../../../lib/events/events.ts";
import { range } from "../../../lib/table/keys.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { invoke, type Request } from "../../support/http/invoke.ts";
import { expectSound } from "../../support/setup.ts";
import { connectionReset, Killed, withFaults } from "../../support/store/faults.ts";
import { aBoard, aComment, aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";

// An event exists exactly if its change was committed, wherever the function dies or loses the store.

let author: Person;
let owner: Person;
let postId: string;

beforeEach(async () => {
  author = await aMember();
  owner = await aUser("owner");
  postId = (await aPost(author)).postId;
});

async function events(): Promise<Map<string, EventRecord>> {
  return new Map((await getRange(range.events(), EventItem)).map((event) => [event.eventId, event]));
}

/** What a request asks, and the event that it makes, but for its id. */
type Case = { endpoint: string; request: () => Promise<Request>; event: () => object };

let commentId: string;

function onComment(isInternal: boolean, body: object): () => Promise<Request> {
  return async () => {
    ({ commentId } = await aComment(postId, author, { isInternal }));
    return { token: owner.token, params: { postId, commentId }, body };
  };
}

function onPost(body: object): () => Promise<Request> {
  return async () => {
    postId = (await aPost(author)).postId;
    return { token: owner.token, body: { id: postId, ...body } };
  };
}

let boardId: string;

const cases: Record<string, Case> = {
  "a new post": {
    endpoint: "posts-create",
    request: async () => {
      boardId = (await aBoard()).boardId;
      return { token: author.token, body: { title: "Secret plan", boardId } };
    },
    event: () => ({ type: "post.created", by: author.userId, boardId }),
  },
  "a changed post": {
    endpoint: "posts-update",
    request: onPost({ title: "Secret plan", contentMarkdown: "Secret" }),
    event: () => ({ type: "post.updated", postId, by: owner.userId, changed: ["title", "contentMarkdown"] }),
  },
  "a post with another status and an official response": {
    endpoint: "posts-set-status",
    request: async () => ({ token: owner.token, params: { postId }, body: { status: "planned", text: "Secret" } }),
    event: () => ({ type: "post.status_changed", postId, by: owner.userId, to: "a", changed: ["response"] }),
  },
  "a deleted post": {
    endpoint: "posts-delete",
    request: onPost({}),
    event: () => ({ type: "post.deleted", postId, by: owner.userId }),
  },
  "a new comment": {
    endpoint: "comments-create",
    request: async () => ({ token: author.token, params: { postId }, body: { body: "Secret" } }),
    event: () => ({ type: "comment.created", postId, by: author.userId }),
  },
  "a changed comment": {
    endpoint: "comments-update",
    request: onComment(false, { body: "Secret" }),
    event: () => ({ type: "comment.updated", postId, commentId, by: owner.userId }),
  },
  "a comment that becomes a note": {
    endpoint: "comments-update",
    request: onComment(false, { is_internal: true }),
    event: () => ({ type: "comment.deleted", postId, commentId, by: owner.userId }),
  },
  "a note that becomes a comment": {
    endpoint: "comments-update",
    request: onComment(true, { is_internal: false }),
    event: () => ({ type: "comment.created", postId, commentId, by: owner.userId }),
  },
  "a deleted comment": {
    endpoint: "comments-delete",
    request: onComment(false, {}),
    event: () => ({ type: "comment.deleted", postId, commentId, by: owner.userId }),
  },
  "a new account": {
    endpoint: "auth-sign-up",
    request: async () => ({
      body: { email: `${crypto.randomUUID()}@secret.example`, password: "a good passphrase", name: "Secret" },
    }),
    event: () => ({ type: "user.created" }),
  },
  "an account that the owner makes": {
    endpoint: "users-create",
    request: async () => ({ token: owner.token, body: { email: `${crypto.randomUUID()}@secret.example` } }),
    event: () => ({ type: "user.created", by: owner.userId }),
  },
};

describe.each(Object.entries(cases))("%s, cut off at any call", (_, { endpoint, request, event }) => {
  it.each(["fails", "dies"] as const)(
    "leaves one event exactly if it was committed: the store fails or the function dies (%s)",
    async (how) => {
      for (let call = 1, isCut = true; isCut; call++) {
        const asked = await request();
        const before = await events();
        let calls = 0;
        let isWritten = false;
        const decide = ({ operation }: { operation: string }) => {
          calls++;
          if (calls > call) return new Killed();
          if (how === "fails" && calls === call) return connectionReset();
          isWritten ||= operation === "TransactWriteItems";
          return calls === call ? ("die" as const) : ("none" as const);
        };
        const { status } = await withFaults(decide, () => invoke(endpoint, asked));
        isCut = status >= 500;
        const made = [...(await events()).values()].filter(({ eventId }) => !before.has(eventId));
        expect(made).toEqual(isWritten ? [expect.objectContaining(event())] : []);
        expect(JSON.stringify(made)).not.toMatch(/secret/i);
        await expectSound();
      }
    },
  );
});

describe("events", () => {
  it("never concern notes", async () => {
    const before = await events();
    const { commentId } = await aComment(postId, owner, { isInternal: true });
    const note = { token: owner.token, params: { postId, commentId } };
    await invoke("comments-update", { ...note, body: { body: "Another text" } });
    await invoke("comments-delete", note);
    expect(await events()).toEqual(before);
  });
});
