import { beforeEach, describe, expect, it } from "vitest";
import { endpointNamed, invoke, type Request } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound } from "../../support/setup.ts";
import { connectionReset, Killed, withFaults } from "../../support/store/faults.ts";
import { aComment, aMember, aPost, aUser, type Person } from "../../support/world/fixtures.ts";

// A function that dies, or loses the store, at any of its calls.

let author: Person;
let moderator: Person;
let postId: string;

beforeEach(async () => {
  author = await aMember();
  moderator = await aUser("moderator");
  postId = (await aPost(author)).postId;
});

/** How many comments everybody finds, and how many the team. */
async function numbers(): Promise<[number, number]> {
  const count = async (by: Person, visibility: string): Promise<number> => {
    const { activity, total_count } = await portal.activity({ postId }, by, { visibility });
    expect(activity).toHaveLength(total_count);
    return total_count;
  };
  return [await count(author, "public"), await count(moderator, "public,internal")];
}

type Case = { endpoint: string; request: () => Promise<Request>; before: [number, number]; after: [number, number] };

async function on(isInternal: boolean): Promise<Request> {
  const { commentId } = await aComment(postId, moderator, { isInternal });
  return { token: moderator.token, params: { postId, commentId } };
}

async function reply(is_internal: boolean): Promise<Request> {
  const { commentId: parent_id } = await aComment(postId, author);
  return { token: moderator.token, params: { postId }, body: { body: "Here", parent_id, is_internal } };
}

const cases: Record<string, Case> = {
  "a new comment": { endpoint: "comments-create", request: () => reply(false), before: [1, 1], after: [2, 2] },
  "a new note": { endpoint: "comments-create", request: () => reply(true), before: [1, 1], after: [1, 2] },
  "a changed comment": {
    endpoint: "comments-update",
    request: async () => ({ ...(await on(false)), body: { body: "There" } }),
    before: [1, 1],
    after: [1, 1],
  },
  "a comment that becomes a note": {
    endpoint: "comments-update",
    request: async () => ({ ...(await on(false)), body: { body: "There", is_internal: true } }),
    before: [1, 1],
    after: [0, 1],
  },
  "a deleted comment": { endpoint: "comments-delete", request: () => on(false), before: [1, 1], after: [0, 0] },
  "a deleted note": { endpoint: "comments-delete", request: () => on(true), before: [0, 1], after: [0, 0] },
};

describe.each(Object.entries(cases))("%s, cut off at any call", (_, { endpoint, request, before, after }) => {
  it("exists whole or not at all if the store fails from that call on", async () => {
    for (let call = 1, isCut = true; isCut; call++) {
      postId = (await aPost(author)).postId;
      const asked = await request();
      let calls = 0;
      const decide = () => (++calls >= call ? connectionReset() : ("none" as const));
      const { status } = await withFaults(decide, () => invoke(endpoint, asked));
      isCut = status === 503;
      expect(isCut || status === endpointNamed(endpoint).definition.success).toBe(true);
      expect(await numbers()).toEqual(isCut ? before : after);
      await expectSound();
    }
  });

  it("exists whole or not at all if the function dies after that call", async () => {
    for (let call = 1, isCut = true; isCut; call++) {
      postId = (await aPost(author)).postId;
      const asked = await request();
      let calls = 0;
      let isWritten = false;
      const decide = ({ operation }: { operation: string }) => {
        if (++calls > call) return new Killed();
        isWritten ||= operation === "TransactWriteItems";
        return calls === call ? ("die" as const) : ("none" as const);
      };
      const reply = withFaults(decide, () => invoke(endpoint, asked));
      isCut = (await reply).status !== endpointNamed(endpoint).definition.success;
      expect(await numbers()).toEqual(isWritten ? after : before);
      await expectSound();
    }
  });
});
