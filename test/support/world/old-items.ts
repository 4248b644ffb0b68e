import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { settings } from "../../../lib/runtime/settings.ts";
import { writeWords } from "../../../lib/search/word-rows.ts";
import { documentClient } from "../../../lib/table/client.ts";
import { key, range } from "../../../lib/table/keys.ts";
import { getRange } from "../../../lib/table/reads.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { anything } from "../store/items.ts";
import { addPosts } from "./bulk.ts";
import { aMember, aPost, aStranger, postOf } from "./fixtures.ts";

// Items in the forms that they had before migrations, for the tests that hold for every migration.

/** Gives all voters items of the table the attributes that they had before migration 1. */
export async function addEdges(): Promise<void> {
  for (const { pk, sk, count, first } of await getRange(range.posts(), anything)) {
    if (typeof count !== "number") continue;
    const edge = Object.values(first as Record<string, { v: string }>)
      .map(({ v }) => v)
      .sort()
      .at(-1);
    await documentClient().send(
      new UpdateCommand({
        TableName: settings().tableName,
        Key: { pk, sk },
        // A post without votes had no edge.
        UpdateExpression: edge ? "SET #cast = :cast, edge = :edge" : "SET #cast = :cast",
        ExpressionAttributeNames: { "#cast": "cast" },
        ExpressionAttributeValues: { ":cast": count + 2, ...(edge && { ":edge": edge }) },
      }),
    );
  }
}

/** Takes the weights away from all voters items of the table, as they were before migration 2. */
export async function forgetWeights(): Promise<void> {
  for (const { pk, sk, ...item } of await getRange(range.posts(), anything)) {
    const weights = Object.keys(item).filter((name) => /^h\d+$/.test(name));
    if (weights.length === 0) continue;
    await documentClient().send(
      new UpdateCommand({
        TableName: settings().tableName,
        Key: { pk, sk },
        UpdateExpression: `REMOVE ${weights.map((name) => `#${name}`).join(", ")}`,
        ExpressionAttributeNames: Object.fromEntries(weights.map((name) => [`#${name}`, name])),
      }),
    );
  }
}

/** For each migration, by its number: makes some items in their old form, and one that needs no change. */
export const oldItems: Record<number, (count: number) => Promise<void>> = {
  1: async (count) => {
    const author = await aMember();
    const posts = Array.from({ length: count }, () => postOf(author));
    await addPosts(posts);
    for (const [index, votes] of [0, 3, 8].entries()) {
      await voting.castAll(posts[index]?.postId ?? "", Array.from({ length: votes }, aStranger));
    }
    await addEdges();
    await aPost(author);
  },
  2: async (count) => {
    const author = await aMember();
    const posts = Array.from({ length: count }, () => postOf(author));
    await addPosts(posts);
    const year = 365 * 86_400_000;
    for (const [index, votes] of [0, 3, 8].entries()) {
      // Votes of several epochs.
      const ballots = Array.from({ length: votes }, (_, n) => ({ ...aStranger(), at: Date.now() - n * year }));
      await voting.castAll(posts[index]?.postId ?? "", ballots);
    }
    await forgetWeights();
    // Votes of the code that weighs them, on posts without weights.
    for (const index of [1, 2]) await voting.castAll(posts[index]?.postId ?? "", [aStranger()]);
    await aPost(author);
  },
  3: async (count) => {
    const author = await aMember();
    await addPosts(Array.from({ length: count }, (_, n) => postOf(author, { title: `Dark mode ${n + 10}` })));
    await writeWords((await aPost(author)).postId);
  },
};

/** Forgets which version the table has, as in one that is older than migrations. */
export async function forgetVersion(): Promise<void> {
  await documentClient().send(new DeleteCommand({ TableName: settings().tableName, Key: key.model() }));
}
