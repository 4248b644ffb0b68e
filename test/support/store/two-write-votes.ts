import type { Person } from "../../../lib/accounts/users.ts";
import { key } from "../../../lib/table/keys.ts";
import { check, create, update } from "../../../lib/table/parts.ts";
import { transact } from "../../../lib/table/transactions.ts";
import { newId } from "../../../lib/values/ids.ts";
import { SEATS, type Voters } from "../../../lib/votes/votes.ts";

// A mutant of `voting.cast` that tests must catch: it writes the vote in one transaction and counts it in another.

/** Casts a vote in two writes; a failure between them leaves a vote that is not counted. */
export async function cast(
  postId: string,
  { userId, name, username }: Person,
  { voters }: { voters: Voters | undefined },
): Promise<"voted" | "already voted" | "no such post"> {
  const voteId = newId();
  const vote = await transact({
    voters: check(key.voters(postId), { if: "attribute_exists(pk)" }),
    userVote: create(key.userVote(userId, postId), { voteId }),
    vote: create(key.vote(postId, voteId), { userId, name, username }),
  });
  if (!vote.done) return vote.failed.voters ? "no such post" : "already voted";
  const hasSeat = (voters?.first.length ?? 0) < SEATS;
  const count = "ADD #count :one";
  await transact({
    voters: hasSeat
      ? update(key.voters(postId), `SET #first.#user = :seat ${count}`, {
          names: { "#first": "first", "#user": userId, "#count": "count" },
          values: { ":seat": { v: voteId, n: name, u: username }, ":one": 1 },
        })
      : update(key.voters(postId), count, { names: { "#count": "count" }, values: { ":one": 1 } }),
  });
  return "voted";
}
