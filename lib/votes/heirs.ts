import * as z from "zod/mini";
import { idIn, key, prefix } from "../table/keys.ts";
import { range } from "../table/ranges.ts";
import { getMany, getRange } from "../table/reads.ts";

// Of a voter who had voted on two duplicates of a post, the post has one vote, which came with the first of them. When
// that one is taken out again, the vote stays for the other one. docs/data-model.md#merged-posts

/** Another duplicate whose voter had voted on both, with the vote that was lost. */
export type Heir = { postId: string; was: string };

const DuplicateKey = z.object({ sk: z.string() });
const NoteItem = z.object({ pk: z.string(), sk: z.string(), was: z.optional(z.string()) });

// Their notes of a slice are one batch.
const AT_ONCE = 6;

/** For votes that came to a post with a duplicate: an heir of each, if it has one. */
export async function heirsOf(postId: string, voteIds: readonly { voteId: string }[]): Promise<Map<string, Heir>> {
  const heirs = new Map<string, Heir>();
  const duplicates = voteIds.length > 0 ? await getRange(range.duplicates(postId), DuplicateKey) : [];
  for (let at = 0; at < duplicates.length; at += AT_ONCE) {
    const ids = duplicates.slice(at, at + AT_ONCE).map(({ sk }) => sk.slice(prefix.duplicate.length));
    const keys = ids.flatMap((duplicate) => voteIds.map(({ voteId }) => key.movedVote(duplicate, voteId)));
    for (const { pk, sk, was } of await getMany(keys, NoteItem)) {
      if (was !== undefined) heirs.set(sk.slice(prefix.vote.length), { postId: idIn(pk), was });
    }
  }
  return heirs;
}
