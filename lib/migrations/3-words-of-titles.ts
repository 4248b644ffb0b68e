import { PostItem } from "../posts/posts.ts";
import { DerivedWordsItem, wordParts } from "../search/word-rows.ts";
import { key, range, VOTERS_SUFFIX } from "../table/keys.ts";
import { get } from "../table/reads.ts";
import type { Migration } from "./migration.ts";

/** Writes the rows by which posts are found. Those of posts that have any are kept right by `keep`, whatever they say now. */
export const wordsOfTitles: Migration = {
  title: "write the words of titles",
  walks: range.posts(),
  table: { POSTS: ["query", "check"], DERIVED: ["get", "put"], WORDS: ["put"] },
  change: async (item) => {
    if (item.sk.endsWith(VOTERS_SUFFIX)) return undefined;
    const { success, data: post } = PostItem.safeParse(item);
    if (!success || (await get(key.derivedWords(post.postId), DerivedWordsItem))) return undefined;
    return wordParts(post.postId, post, undefined);
  },
};
