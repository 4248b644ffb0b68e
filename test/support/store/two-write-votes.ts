import { key } from "../../../lib/data/keys.ts";
import { check, create, update } from "../../../lib/data/parts.ts";
import { transact } from "../../../lib/data/transactions.ts";
import type { Person } from "../../../lib/data/users.ts";
import { SEATS, type Voters } from "../../../lib/data/votes.ts";
import { newId } from "../../../lib/values/ids.ts";

// A mutant of votes.add that tests must catch: it casts the vote in one write and counts it in another.

/** Adds a vote in two writes: what happens in between is lost. */
export const add = async (
  postId: string,
  { userId, name, username }: Person,
  voters: Voters | undefined,
): Promise<"voted" | "already voted" | "no such post"> => {
  const voteId = newId(voters?.edge);
  const cast = await transact({
    voters: check(key.voters(postId), { if: "attribute_exists(pk)" }),
    userVote: create(key.userVote(userId, postId), { voteId }),
    vote: create(key.vote(postId, voteId), { userId, name, username }),
  });
  if (!cast.done) return cast.failed.voters ? "no such post" : "already voted";
  const isSeated = (voters?.first.length ?? 0) < SEATS;
  const count = "ADD #count :one, #cast :one";
  await transact({
    voters: isSeated
      ? update(key.voters(postId), `SET #first.#user = :seat, edge = :vote ${count}`, {
          names: { "#first": "first", "#user": userId, "#count": "count", "#cast": "cast" },
          values: { ":seat": { v: voteId, n: name, u: username }, ":vote": voteId, ":one": 1 },
        })
      : update(key.voters(postId), count, { names: { "#count": "count", "#cast": "cast" }, values: { ":one": 1 } }),
  });
  return "voted";
};
