import { describe, expect, it } from "vitest";
import { handler as createKey } from "../../../functions/keys/create.ts";
import { handler as createPost } from "../../../functions/posts/create.ts";
import { handler as addVote } from "../../../functions/votes/add.ts";
import { scan } from "../../../infra/operator/check-table/check.ts";
import * as apiKeys from "../../../lib/accounts/api-keys.ts";
import { newKey } from "../../../lib/auth/api-keys.ts";
import type { Endpoint } from "../../../lib/endpoint.ts";
import { answerOnce, idempotencyPartOf, repeatOf } from "../../../lib/http/idempotency.ts";
import * as posts from "../../../lib/posts/posts.ts";
import type { IdempotencyPart } from "../../../lib/table/idempotency.ts";
import { newId } from "../../../lib/values/ids.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { eventOf } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { isTransaction, Killed, withFaults } from "../../support/store/faults.ts";
import { expectSound } from "../../support/store/sound.ts";
import { aMember, aPost, aStranger, postOf } from "../../support/world/fixtures.ts";

/** What a call under a key leads to: what it made, or what was made under the key before. */
async function underKey<Made extends object>(
  { definition }: Endpoint,
  userId: string,
  key: string,
  make: (idempotencyPart: IdempotencyPart<Made>) => Promise<unknown>,
): Promise<unknown> {
  const event = eventOf({ definition } as Endpoint, { headers: { "idempotency-key": key } });
  const repeat = await repeatOf(definition, event, userId, { body: {} });
  if (!repeat) throw new Error("the call has no key");
  const idempotencyPart = idempotencyPartOf(repeat, definition) as IdempotencyPart<Made>;
  const answer = await answerOnce(
    repeat,
    () => make(idempotencyPart),
    async (made) => made,
  );
  return answer.isReplayed ? answer.result : "made";
}

/** How often each is killed; RUNS=5000 makes it 15,000 kills in all. */
const ROUNDS = Number(process.env.RUNS ?? 200);
const AT_ONCE = 100;

/** Does some work once for each number, many in parallel. */
async function often(work: (number: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < ROUNDS; start += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => work(start + n)));
  }
}

/**
 * Does some work once for each number. Its process is killed each time, between the commit of a transaction and the
 * answer.
 */
function oftenKilled(work: (number: number) => Promise<unknown>): Promise<void> {
  return withFaults(
    (attempt) => (isTransaction(attempt) ? "die" : "none"),
    () =>
      often(async (n) => {
        await expect(work(n)).rejects.toThrow(Killed);
      }),
  );
}

function ids(): string[] {
  return Array.from({ length: ROUNDS }, () => newId());
}

describe(`A call under a key that is killed between commit and answer, and sent again, ${3 * ROUNDS} times`, () => {
  it("makes one post, and leads to that post", async () => {
    await freshTable();
    const author = await aMember();
    const keys = ids();
    const made: string[] = [];
    const add = (n: number): Promise<unknown> => {
      const post = postOf(author);
      made[n] ??= post.postId;
      return underKey<posts.PostRecord>(createPost, author.userId, keys[n] ?? "", (idempotencyPart) =>
        posts.add(post, idempotencyPart),
      );
    };
    await oftenKilled(add);
    await often(async (n) => expect(await add(n)).toEqual({ postId: made[n] }));
    const stored = (await scan()).filter(({ pk, sk }) => pk === "POSTS" && !sk.includes("#"));
    expect(stored.map(({ sk }) => sk).sort()).toEqual([...made].sort());
    await expectSound();
  });

  it("makes one API key, and leads to that key: all twenty of an account, without a refused call", async () => {
    await freshTable();
    const people = await Promise.all(Array.from({ length: Math.ceil(ROUNDS / apiKeys.MAX_KEYS) }, () => aMember()));
    const keys = ids();
    const made: string[] = [];
    const add = (n: number): Promise<unknown> => {
      const { userId = "" } = people[n % people.length] ?? {};
      const keyId = newId();
      made[n] ??= keyId;
      const { text, hash } = newKey(userId, keyId);
      const record = { keyId, name: "Killed", scopes: ["vote:create"], hash, lastFour: text.slice(-4) };
      return underKey<{ keyId: string }>(createKey, userId, keys[n] ?? "", (idempotencyPart) =>
        apiKeys.add(userId, record, idempotencyPart),
      );
    };
    await oftenKilled(add);
    await often(async (n) => expect(await add(n)).toEqual({ keyId: made[n] }));
    const stored = (await scan()).filter(({ pk }) => pk.startsWith("API_KEYS#"));
    expect(stored.map(({ sk }) => sk).sort()).toEqual([...made].sort());
    await expectSound();
  });

  it("casts one vote, and leads to that vote", async () => {
    await freshTable();
    const author = await aMember();
    // One for each vote of a group: these do not meet.
    const places = await Promise.all(Array.from({ length: AT_ONCE }, () => aPost(author)));
    const voters = Array.from({ length: ROUNDS }, aStranger);
    const keys = ids();
    const vote = (n: number): Promise<unknown> => {
      const [{ postId = "" } = {}, voter] = [places[n % AT_ONCE], voters[n]];
      if (!voter) throw new Error("no such voter");
      return underKey<votes.VoteRecord>(addVote, voter.userId, keys[n] ?? "", async (idempotencyPart) =>
        voting.cast(postId, voter, { voters: await votes.summary(postId), idempotencyPart }),
      );
    };
    await oftenKilled(vote);
    const answers: unknown[] = [];
    await often(async (n) => {
      answers[n] = await vote(n);
    });
    const stored = (await scan()).filter(({ pk }) => pk.startsWith("VOTES#"));
    const voteOf = new Map(stored.map(({ sk, userId }) => [userId, sk]));
    expect(stored).toHaveLength(ROUNDS);
    expect(answers).toEqual(voters.map(({ userId }) => ({ voteId: voteOf.get(userId) })));
    for (const { postId } of places) expect((await votes.summary(postId))?.count).toBe(ROUNDS / AT_ONCE);
  });
});
