import { beforeAll, describe, expect, it } from "vitest";
import { EventItem, type EventRecord } from "../../../lib/events/events.ts";
import { range } from "../../../lib/table/ranges.ts";
import { getRange } from "../../../lib/table/reads.ts";
import { anId, endpointNamed, invoke, type Request } from "../../support/http/invoke.ts";
import { expectSound } from "../../support/setup.ts";
import { connectionReset, Killed, withFaults } from "../../support/store/faults.ts";
import { aWorld, goodRequest, type World } from "../../support/world/examples.ts";
import { aComment, aPost } from "../../support/world/fixtures.ts";

// An event exists exactly if its change was committed, wherever the function dies or loses the store.

let world: World;

beforeAll(async () => {
  world = await aWorld();
});

async function events(): Promise<Map<string, EventRecord>> {
  return new Map((await getRange(range.events(), EventItem)).map((event) => [event.eventId, event]));
}

/** A request by the owner to change a new comment. */
async function onComment(isInternal: boolean, body?: object): Promise<Request> {
  const { postId } = await aPost(world.author);
  const { commentId } = await aComment(postId, world.author, { isInternal });
  return { token: world.owner.token, params: { postId, commentId }, body };
}

/** An endpoint, its event but for its id and `by`, and a request, unless that is the example. */
type Case = { endpoint: string; event: (ids: Record<string, string>) => object; request?: () => Promise<Request> };

const cases: Record<string, Case> = {
  "a new post": {
    endpoint: "posts-create",
    event: ({ boardId }) => ({ type: "post.created", postId: anId, boardId }),
  },
  "a changed post": {
    endpoint: "posts-update",
    event: ({ id, boardId }) => ({ type: "post.updated", postId: id, boardId, changed: ["title", "contentMarkdown"] }),
  },
  "a post with another status and an official response": {
    endpoint: "posts-set-status",
    event: ({ postId }) => ({
      ...{ type: "post.status_changed", postId, boardId: world.board.boardId },
      ...{ to: "a", changed: ["response"] },
    }),
  },
  "a deleted post": { endpoint: "posts-delete", event: ({ id }) => ({ type: "post.deleted", postId: id }) },
  "a new comment": {
    endpoint: "comments-create",
    event: ({ postId }) => ({ type: "comment.created", postId, commentId: anId }),
  },
  "a changed comment": { endpoint: "comments-update", event: (ids) => ({ type: "comment.updated", ...pathOf(ids) }) },
  "a comment that becomes a note": {
    endpoint: "comments-update",
    request: () => onComment(false, { is_internal: true }),
    event: (ids) => ({ type: "comment.deleted", ...pathOf(ids) }),
  },
  "a note that becomes a comment": {
    endpoint: "comments-update",
    request: () => onComment(true, { is_internal: false }),
    event: (ids) => ({ type: "comment.created", ...pathOf(ids) }),
  },
  "a deleted comment": { endpoint: "comments-delete", event: (ids) => ({ type: "comment.deleted", ...pathOf(ids) }) },
  "a new account": { endpoint: "auth-sign-up", event: () => ({ type: "user.created", by: anId, userId: anId }) },
  "an account that the owner makes": {
    endpoint: "users-create",
    event: () => ({ type: "user.created", userId: anId }),
  },
};

function pathOf({ postId, commentId }: Record<string, string>) {
  return { postId, commentId };
}

describe.each(Object.entries(cases))("%s, cut off at any call", (_, { endpoint, request, event }) => {
  it.each(["fails", "dies"] as const)(
    "leaves one event exactly if it was committed: the store fails or the function dies (%s)",
    async (how) => {
      for (let call = 1, isCut = true; isCut; call++) {
        const asked = await (request?.() ?? goodRequest(endpointNamed(endpoint), world));
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
        const ids = { ...asked.params, ...(asked.body as object) };
        // No text of the request, and no address, is in it.
        expect(made).toEqual(isWritten ? [{ eventId: anId, by: world.owner.userId, isNews: true, ...event(ids) }] : []);
        await expectSound();
      }
    },
  );
});

describe("events", () => {
  it("never concern notes", async () => {
    const { postId } = await aPost(world.author);
    const before = await events();
    const { commentId } = await aComment(postId, world.owner, { isInternal: true });
    const note = { token: world.owner.token, params: { postId, commentId } };
    await invoke("comments-update", { ...note, body: { body: "Another text" } });
    await invoke("comments-delete", note);
    expect(await events()).toEqual(before);
  });
});
