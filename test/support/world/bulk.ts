import { type Person, shownOf } from "../../../lib/accounts/users.ts";
import type { Merits } from "../../../lib/lists/orders.ts";
import { rankParts } from "../../../lib/lists/ranks.ts";
import { kbOf } from "../../../lib/posts/comments.ts";
import * as posts from "../../../lib/posts/posts.ts";
import { statusChangeParts } from "../../../lib/posts/status-changes.ts";
import { wordParts, wordsNow } from "../../../lib/search/word-rows.ts";
import { key } from "../../../lib/table/keys.ts";
import { create, type Part, put, update } from "../../../lib/table/parts.ts";
import { listsOf, type Placement } from "../../../lib/table/post-lists.ts";
import { idAt, newId } from "../../../lib/values/ids.ts";
import { SEATS } from "../../../lib/votes/seats.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { countVote } from "../../../lib/votes/weights.ts";
import { transactRaw } from "../store/raw-calls.ts";

// Fills a table faster than single requests: the parts of many posts share a transaction, and additions to one item are
// summed up first.

const MAX_PARTS = 100;

export async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>, width = 4): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}

// An expression may have 4 KB.
const MAX_ADDED = 100;

/** Adds up the updates that add to the same item, under the same condition. */
function summed(parts: Part[]): Part[] {
  const sums = new Map<string, { like: NonNullable<Part["Update"]>; added: Map<string, bigint> }>();
  for (const { Update } of parts) {
    if (!Update) continue;
    const { Key, UpdateExpression = "", ExpressionAttributeNames: names = {}, ConditionExpression } = Update;
    if (!UpdateExpression.startsWith("ADD ")) throw new Error(`does not add: ${UpdateExpression}`);
    const item = JSON.stringify([Key, ConditionExpression]);
    const { added } = sums.get(item) ?? { added: new Map() };
    sums.set(item, { like: Update, added });
    for (const [, name = "", value = ""] of UpdateExpression.slice(4).matchAll(/(#?\w+) (:\w+)/g)) {
      const attribute = names[name] ?? name;
      added.set(attribute, (added.get(attribute) ?? 0n) + BigInt(Update.ExpressionAttributeValues?.[value]));
    }
  }
  return [...sums.values()].flatMap(({ like, added }) =>
    inBatches([...added], MAX_ADDED).map((some) => ({
      Update: {
        ...like,
        UpdateExpression: `ADD ${some.map((_, n) => `#a${n} :a${n}`).join(", ")}`,
        ExpressionAttributeNames: Object.fromEntries(some.map(([attribute], n) => [`#a${n}`, attribute])),
        ExpressionAttributeValues: Object.fromEntries(some.map(([, change], n) => [`:a${n}`, change])),
      },
    })),
  );
}

function inBatches<T>(items: T[], size = MAX_PARTS): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

export async function addWords(records: posts.PostRecord[]): Promise<void> {
  await writeAll(records.flatMap((record) => Object.values(wordParts(record.postId, undefined, wordsNow(record)))));
}

/** Writes the parts of many items; those that add to one item are summed up. */
async function writeAll(parts: Part[]): Promise<void> {
  await eachOf(inBatches(parts.filter(({ Put }) => Put)), transactRaw);
  await eachOf(summed(parts), (part) => transactRaw([part]));
}

export function addPosts(records: posts.PostRecord[]): Promise<void> {
  return writeAll(records.flatMap((record) => Object.values(posts.newPostParts(record))));
}

export function addUnlistedPosts(records: posts.PostRecord[]): Promise<void> {
  return writeAll(
    records.flatMap((record) => {
      const { post, voters } = posts.newPostParts(record);
      return [post, voters].flatMap((part) => part ?? []);
    }),
  );
}

/** Casts the votes of people who have not voted: the first ones, one after the other, get the free seats. */
export async function castAll(postId: string, ballots: (Person & { at?: number })[]): Promise<void> {
  const voters = (await votes.summary(postId)) ?? votes.noVoters(postId);
  const seated = ballots.slice(0, SEATS - voters.first.length);
  for (const ballot of seated) await voting.cast(postId, ballot, { voters: await votes.summary(postId) });
  await writeAll(
    ballots.slice(seated.length).flatMap(({ at, ...voter }) => {
      const voteId = at === undefined ? newId() : idAt(at);
      const { expression, ...counted } = countVote(voteId);
      return [
        create(key.userVote(voter.userId, postId), { voteId }),
        create(key.vote(postId, voteId), shownOf(voter)),
        update(key.voters(postId), expression, { if: "attribute_exists(pk)", ...counted }),
      ];
    }),
  );
}

export function addRanks(records: posts.PostRecord[], meritsOf: (post: posts.PostRecord) => Merits): Promise<void> {
  return writeAll(
    records.flatMap((post) =>
      Object.values(rankParts(post.postId, undefined, { ...placementOf(post), ...meritsOf(post) }, listsOf(post))),
    ),
  );
}

function placementOf({ boardId, roadmapId, status }: posts.PostRecord): Placement {
  return { boardId, roadmapId, status };
}

// A comment takes three parts: itself, its row and its user's entry. One more part counts all of them.
const COMMENTS = Math.floor((MAX_PARTS - 1) / 3);

export async function addComments(
  postId: string,
  author: Person,
  bodies: string[],
  kind: "comment" | "note" = "comment",
): Promise<void> {
  for (let start = 0; start < bodies.length; start += COMMENTS) {
    const some = bodies.slice(start, start + COMMENTS);
    const parts = some.flatMap((body) => {
      const commentId = newId();
      return [
        create(key[kind](postId, commentId), { author: shownOf(author), body }),
        put(key.commentRow(key[kind](postId, commentId)), { kb: kbOf(body) }),
        create(key.userComment(author.userId, commentId), { postId }),
      ];
    });
    const counted = { if: "attribute_exists(pk)", names: { "#n": `${kind}s` }, values: { ":n": some.length } };
    await transactRaw([...parts, update(key.voters(postId), "ADD #n :n", counted)]);
  }
}

export async function addStatusChanges(postId: string, { userId: by }: Person, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await transactRaw(Object.values(statusChangeParts(postId, newId(), { from: "a", to: "b", by })));
  }
}
