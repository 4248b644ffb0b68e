import * as z from "zod/mini";
import { setFields, stillHas } from "../table/changes.ts";
import { idIn, key, prefix } from "../table/keys.ts";
import { check, type Part, put, remove } from "../table/parts.ts";
import { range } from "../table/ranges.ts";
import { getMany, getRange } from "../table/reads.ts";
import { type MovedVote, movedFields } from "./moved-votes.ts";
import type { VoteRecord } from "./votes.ts";

// What duplicates of a post keep of its votes stays right when one of these votes goes without being taken back.
// docs/data-model.md#merged-posts

/**
 * Another duplicate whose voter had voted on both, with the vote that was lost. The post has one vote of that person,
 * which came with the first duplicate. When that one is taken out again, the vote stays for the other one.
 */
export type Heir = { postId: string; was: string };

/** What a duplicate of a post keeps of a vote that is on the post. */
export type Kept = MovedVote & { postId: string };

const DuplicateKey = z.object({ sk: z.string() });
const KeptItem = z.object({ pk: z.string(), ...movedFields });

// What they keep of a slice is one batch.
const AT_ONCE = 6;

/** What the duplicates of a post keep of these votes. */
export async function keptBy(postId: string, voteIds: readonly string[]): Promise<Kept[]> {
  const duplicates = voteIds.length > 0 ? await getRange(range.duplicates(postId), DuplicateKey) : [];
  const all: Kept[] = [];
  for (let at = 0; at < duplicates.length; at += AT_ONCE) {
    const ids = duplicates.slice(at, at + AT_ONCE).map(({ sk }) => sk.slice(prefix.duplicate.length));
    const keys = ids.flatMap((duplicate) => voteIds.map((voteId) => key.movedVote(duplicate, voteId)));
    for (const { pk, sk, ...kept } of await getMany(keys, KeptItem)) {
      all.push({ postId: idIn(pk), voteId: sk.slice(prefix.vote.length), ...kept });
    }
  }
  return all;
}

/** For votes that came to a post with a duplicate: an heir of each, if it has one. */
export async function heirsOf(postId: string, voteIds: readonly string[]): Promise<Map<string, Heir>> {
  const kept = await keptBy(postId, voteIds);
  return new Map(kept.flatMap(({ voteId, postId, was }) => (was === undefined ? [] : [[voteId, { postId, was }]])));
}

/** The part by which the vote on the post is the heir's, from which it goes back once that is taken out. */
export function inheritancePart({ postId, was }: Heir, voteId: string): Part {
  return setFields(key.movedVote(postId, voteId), { inherits: true }, stillHas({ was, inherits: undefined }));
}

/** The parts by which duplicates keep a new vote in place of the earlier one, as of a voter who had voted on both. */
export function keptAnewParts(
  postId: string,
  { voteId, userId, by }: VoteRecord,
  { newId, kept }: { newId: string; kept: readonly Kept[] },
): Record<string, Part> {
  const parts = kept.flatMap((each): [string, Part][] => {
    const lost = each.was === undefined ? { was: voteId, by } : { was: each.was, by: each.by };
    const asRead = stillHas({ was: each.was, inherits: each.inherits });
    return [
      [`kept ${voteId} of ${each.postId}`, remove(key.movedVote(each.postId, voteId), asRead)],
      [`kept ${newId} of ${each.postId}`, put(key.movedVote(each.postId, newId), lost)],
    ];
  });
  const stillNew = check(key.userVote(userId, postId), { if: "voteId = :vote", values: { ":vote": newId } });
  return { ...Object.fromEntries(parts), [`vote ${newId}`]: stillNew };
}
