import * as z from "zod";
import { key, type Range, range } from "./keys.ts";
import { listNamed, type PostList } from "./post-lists.ts";
import { getRange, pagesOf } from "./reads.ts";
import { removeAlone } from "./single-writes.ts";

// What a deleted post, board or roadmap leaves behind is deleted later, by single writes. A tombstone names what was deleted until
// that is done, so a sweep that was cut off is taken up again.

// Items deleted at once: more would crowd out requests, or meet the limit of one partition.
const PAGE = 25;

const Tombstone = z.object({ sk: z.string() }).transform(({ sk }) => sk);

/** What was deleted and is still to be swept: post ids and names of lists, oldest posts first. */
export const waiting = (): Promise<string[]> => getRange(range.tombstones(), Tombstone);

/** Deletes what a deleted post (by its id), board or roadmap (by its list's name) left behind, then its tombstone. */
export const sweep = async (deleted: string): Promise<void> => {
  const list = listNamed(deleted);
  if (list) await sweepList(list);
  else await sweepPost(deleted);
  await removeAlone(key.tombstone(deleted));
};

// A vote that does not parse is swept like any other.
const Vote = z
  .object({ sk: z.string(), userId: z.string().optional().catch(undefined) })
  .transform(({ sk, userId }) => ({ voteId: sk, userId }));

const sweepPost = async (postId: string): Promise<void> => {
  await sweepVotes(postId);
  await sweepComments(range.comments(postId));
  await sweepComments(range.notes(postId));
};

// A comment that does not parse is swept like any other.
const Comment = z.object({
  pk: z.string(),
  sk: z.string(),
  author: z.object({ userId: z.string() }).optional().catch(undefined),
});

const sweepComments = async (comments: Range): Promise<void> => {
  for await (const page of pagesOf(comments, Comment, { pageSize: PAGE })) {
    await Promise.all(
      page.map(async ({ author, pk, sk }) => {
        if (author) await removeAlone(key.userComment(author.userId, sk));
        await removeAlone({ pk, sk });
      }),
    );
  }
};

const sweepVotes = async (postId: string): Promise<void> => {
  for await (const page of pagesOf(range.votes(postId), Vote, { pageSize: PAGE })) {
    await Promise.all(page.map((vote) => sweepVote(postId, vote)));
  }
};

const sweepVote = async (postId: string, { userId, voteId }: z.output<typeof Vote>): Promise<void> => {
  // The user's vote first: after a crash in between, the vote still leads to it.
  if (userId !== undefined) await removeAlone(key.userVote(userId, postId));
  await removeAlone(key.vote(postId, voteId));
};

const Keys = z.object({ pk: z.string(), sk: z.string() });

const sweepList = async (list: PostList): Promise<void> => {
  for (const items of [range.listRows(list), range.dayCounts(list)]) {
    for await (const page of pagesOf(items, Keys, { pageSize: PAGE })) await Promise.all(page.map(removeAlone));
  }
};
