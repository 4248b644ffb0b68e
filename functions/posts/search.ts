import * as z from "zod/mini";
import { idsIn, visibleCatalogue } from "../../lib/auth/visibility.ts";
import * as catalogue from "../../lib/catalogue/catalogue.ts";
import { lettersOf } from "../../lib/catalogue/statuses.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BoardIds, Id, StatusIds, TagIds } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { BodyNumber, pageSize } from "../../lib/http/list-inputs.ts";
import { Post, postListView } from "../../lib/http/resources/posts.ts";
import { SearchedWords } from "../../lib/http/text-inputs.ts";
import { type Filter, visibleFilter } from "../../lib/lists/filter.ts";
import * as search from "../../lib/search/search.ts";
import * as votes from "../../lib/votes/votes.ts";

const body = z.object({
  query: SearchedWords(100),
  boardId: optional(BoardIds),
  roadmapId: optional(Id),
  status: optional(StatusIds),
  tag: optional(TagIds),
  first: pageSize(BodyNumber, 10, 10),
  page: optional(BodyNumber),
});

function filterOf(
  { boardId: boardIds, roadmapId, status, tag: tagIds }: z.output<typeof body>,
  visible: catalogue.Catalogue,
): Filter {
  const statusLetters = status && lettersOf(visible.statuses, status);
  return visibleFilter({ boardIds, roadmapId, statusLetters, tagIds }, idsIn(visible));
}

/**
 * Finds posts by words of their titles. The most similar titles come first, equally similar ones by votes. A title
 * must contain all words of the query; if no title does, titles with some of them are found, but not by fillers such
 * as `to`. The last word may start a longer one, if it has at least three characters. A word has at least two letters
 * or digits (one in Han and Hangul): `C++` finds nothing. What a sign joins is also found by its parts: `L'interface`
 * by `interface`, `node.js` by `js` and `nodejs`. `wifi` does not find `Wi-Fi`. The first 100 characters count. There
 * are at most five pages: use a longer query to find other posts. If very many titles contain a word, only the newest
 * are compared. Long posts that do not fit into 60 KB are on the next page.
 */
export const handler = defineEndpoint({
  name: "posts-search",
  route: "POST /posts/search",
  access: "optional",
  request: z.object({ body }),
  response: z.object({
    results: z.array(Post),
    total_pages: z.number(),
    total_count: z.number(),
  }),
  table: { USER: ["get"], CATALOGUE: ["get", "query"], WORDS: ["query"], POSTS: ["get"] },
  prefetch: ({ body: { query } }) => Promise.all([search.begin(query), catalogue.begin()]),
  handle: async ({ body, caller, prefetched: [begun, basis] }) => {
    const { query, first: count, page } = body;
    const { found, visible } = await catalogue.readBy(basis, async (present, alsoRead) => {
      const visible = visibleCatalogue(caller, present);
      const filter = filterOf(body, visible);
      alsoRead();
      return { visible, found: await search.matching(query, begun, filter, { count, page }) };
    });
    const { posts, pages, total } = found;
    const ownVotes = caller && (await votes.ownVotesOn(posts, caller.userId, { contiguous: false }));
    const results = postListView(posts, visible, caller?.userId, ownVotes);
    return { results, total_pages: pages, total_count: total };
  },
});
