import { NotLinearizable } from "../../simulator/history/register.ts";
import type { Program } from "../../simulator/scheduler/program.ts";
import { type Profile, profiles } from "../clients/profiles.ts";
import { run } from "../clients/run.ts";
import { Violation } from "../history/violation.ts";
import { bundleService, changingSource, type SourceChange } from "../program.ts";

/** A version of the functions with one mistake in it, which a run has to find. */
export type Mutant = SourceChange & {
  name: string;
  profile: string;
  seed: string;
  operations: number;
  changes?: Partial<Profile>;
};

const usual = { profile: "everyday", seed: "mutant", operations: 4000 };

// What is found at rest: the first rest of a run comes after a third of it.
const atRest = { ...usual, operations: 300 };

export const mutants: readonly Mutant[] = [
  {
    ...usual,
    name: "a vote in two writes",
    file: "lib/votes/voting.ts",
    find: `const outcome = await transact({
        voters: voters.first.length < SEATS ? takeSeat(postId, voted) : countUp(postId, voted),`,
    replace: `const counted = voters.first.length < SEATS ? takeSeat(postId, voted) : countUp(postId, voted);
      const inTwoWrites = async (parts) => {
        const outcome = await transact(parts);
        if (outcome.done) await transact({ voters: counted });
        return outcome;
      };
      const outcome = await inTwoWrites({`,
    profile: "storm",
  },
  {
    ...atRest,
    name: "a deleted post that is not told of",
    file: "lib/posts/posts.ts",
    find: '...eventParts({ type: "post.deleted", postId, boardId: post.boardId, by }),\n',
    replace: "",
  },
  {
    ...usual,
    name: "a change that is planned again without its record",
    file: "lib/table/companion.ts",
    find: "return companions.get(request)?.();",
    replace: "const part = companions.get(request);\n  companions.delete(request);\n  return part?.();",
  },
  {
    ...usual,
    name: "a new client token at each sending",
    file: "lib/table/client.ts",
    find: "return await documentClient().send(command,",
    replace:
      'if ("TransactItems" in command.input) command.input.ClientRequestToken = crypto.randomUUID();\n' +
      "        return await documentClient().send(command,",
    profile: "lost answers",
    operations: 1000,
  },
  {
    ...usual,
    name: "a refusal while an earlier sending may still arrive",
    file: "lib/table/transactions.ts",
    find: "(!mayStillArrive || (await fence(ClientRequestToken)))",
    replace: "true",
    profile: "storm",
    seed: "a",
    // Many votes on few posts: others change an item while a sending is late.
    changes: {
      accounts: 6,
      clients: 24,
      rest: 30,
      weights: { votes: 4, news: 0.2, webhooks: 0.2, places: 0.3, lists: 0.2 },
      weather: [
        [/^TransactWriteItems$/, { late: 12, conflict: 5, "reset-before": 5 }],
        [/^Query$/, { "short-page": 2 }],
      ],
    },
    operations: 1500,
  },
  {
    ...usual,
    name: "a mailing that ends after the author",
    file: "lib/notices/readers.ts",
    find: "if (news.only) return;",
    replace: "return;",
    operations: 1500,
  },
  {
    ...atRest,
    name: "rows left behind by a delete",
    file: "lib/posts/placement.ts",
    find: "(before && isMoved ? [remove(before.key)]",
    replace: "(before && after && isMoved ? [remove(before.key)]",
  },
  {
    ...usual,
    name: "a seat with another vote's id",
    file: "lib/votes/voting.ts",
    find: `":seat": seat(successor),`,
    replace: `":seat": seat({ ...successor, voteId: newId() }),`,
    profile: "few posts",
  },
  {
    ...atRest,
    name: "a sweep that stops",
    file: "lib/cleanup/sweeps.ts",
    find: 'if ((await sweepVotes(postId, isOver)) === "more") return "more";',
    replace: 'if (postId) return "done";',
  },
  {
    ...usual,
    seed: "m2",
    name: "an ended session is still accepted",
    file: "lib/http/callers.ts",
    find: "return user?.tokenVersion === tokenVersion ? {",
    replace: "return user && tokenVersion > 0 ? {",
  },
  {
    ...usual,
    name: "a suspended user still acts",
    file: "lib/auth/permissions.ts",
    find: "suspended: new Set(),",
    replace: "suspended: new Set(member),",
  },
  {
    ...usual,
    name: "a deleted comment is still counted",
    file: "lib/posts/comment-changes.ts",
    find: "      count: countAll(comment.postId, [comment], -1),\n",
    replace: "",
  },
  {
    ...usual,
    name: "a page by cursor that skips the post after the cursor",
    file: "functions/posts/list.ts",
    find: "const full = page.posts.slice(0, size);",
    replace: "const full = page.posts.slice((query.passed ?? 0) > 0 ? 1 : 0, size);",
  },
  {
    ...atRest,
    name: "a count that keeps the posts that moved away",
    file: "lib/posts/placement.ts",
    find: "if (change !== 0) passages.push({ list, change });",
    replace: "if (change === 1) passages.push({ list, change });",
  },
  {
    ...usual,
    name: "a page by rank in the order of its rows",
    file: "lib/lists/lists.ts",
    find: "if (!order) return results;",
    replace: "if (!order || page) return results;",
  },
  {
    ...usual,
    name: "a vote that a merge has not moved yet, and that is not taken back",
    file: "lib/votes/voting.ts",
    find: "const waiting = await waitingVote(voters, userId);",
    replace: "const waiting = undefined;",
    profile: "merges",
    seed: "k",
    // Merges that move votes while they are taken back: a run takes seconds, so test/simulation/clients.test.ts has it.
    changes: { phases: 1, accounts: 6, clients: 20, rest: 10, weights: { merges: 40, votes: 20 } },
    operations: 200,
  },
  {
    ...usual,
    name: "a suspended author whose other texts still wait",
    file: "functions/moderation/decide.ts",
    find: "  await declineFurther(deciding, account);\n",
    replace: "",
    profile: "moderation",
    operations: 1500,
  },
  {
    ...atRest,
    name: "a text that waits, and of which the team is not told",
    file: "lib/notices/digest.ts",
    find: "if (before.includes(id)) return undefined;",
    replace: "if (before.length > 0) return undefined;",
    profile: "moderation",
    operations: 900,
  },
  {
    ...atRest,
    name: "an erasure that leaves the reasons of reports",
    file: "lib/cleanup/erasures.ts",
    find: "    ...page.reports.map((id) => eraseReport(job.userId, id)),\n",
    replace: "",
    profile: "lives",
    operations: 900,
  },
  {
    ...atRest,
    name: "an erasure that walks before requests have ended, and not again",
    file: "lib/cleanup/erasures.ts",
    find: "  if (!isSettled) return { notBefore: settledAt };\n",
    replace: "",
    profile: "lives",
    operations: 900,
  },
  {
    ...atRest,
    name: "a refused message that is not sent again",
    file: "lib/webhooks/deliveries.ts",
    find: "hasArrived(lastStatus) ||",
    replace: "lastStatus ||",
  },
];

function isUnknownAnswer(error: Error | undefined): boolean {
  return error?.message.startsWith("an answer that") ?? false;
}

export function bundleMutant(mutant: Mutant): Promise<Program> {
  return bundleService([changingSource(mutant)]);
}

/** Runs a mutant. Returns after how many operations which violation was found; undefined if none was. */
export async function findMutant(
  mutant: Mutant,
  bundled?: Program,
): Promise<{ operations: number; violation: string } | undefined> {
  const program = bundled ?? (await bundleMutant(mutant));
  const profile = profiles.find(({ name }) => name === mutant.profile);
  const { seed, operations, changes } = mutant;
  const { tally, violation } = await run({
    seed,
    operations,
    program,
    ...(profile && { profile: { ...profile, ...changes } }),
  });
  const isFound = violation instanceof Violation || violation instanceof NotLinearizable || isUnknownAnswer(violation);
  if (violation && !isFound) throw violation;
  return violation && { operations: tally.operations, violation: violation.message.slice(0, 200) };
}
