import * as z from "zod/mini";
import { idsIn, visibleCatalogue } from "../../lib/auth/visibility.ts";
import * as catalogue from "../../lib/catalogue/catalogue.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BoardIds } from "../../lib/http/id-inputs.ts";
import { optional } from "../../lib/http/inputs.ts";
import { SuggestedPost, suggestedPostView } from "../../lib/http/resources/posts.ts";
import { SearchedWords } from "../../lib/http/text-inputs.ts";
import { visibleFilter } from "../../lib/lists/filter.ts";
import { lookUp } from "../../lib/search/look-up.ts";
import * as search from "../../lib/search/search.ts";
import * as votes from "../../lib/votes/votes.ts";

const body = z.object({ title: SearchedWords(255), boardId: optional(BoardIds) });

/**
 * Finds up to five posts with similar titles, the most similar first. Call it while the title of a new post is typed,
 * and show the posts that exist already. Case, diacritics and fillers such as `to` do not matter. A text without words
 * finds nothing, and the first 255 characters count. A new post is found after some seconds.
 */
export const handler = defineEndpoint({
  name: "posts-similar",
  route: "POST /posts/similar",
  access: "optional",
  request: z.object({ body }),
  response: z.object({ posts: z.array(SuggestedPost) }),
  table: { USER: ["get"], CATALOGUE: ["get", "query"], WORDS: ["query"], POSTS: ["get"] },
  prefetch: ({ body: { title } }) => Promise.all([lookUp(title), catalogue.begin()]),
  handle: async ({ body: { boardId: boardIds }, caller, prefetched: [found, basis] }) => {
    const { posts, visible } = await catalogue.readBy(basis, async (present, alsoRead) => {
      const visible = visibleCatalogue(caller, present);
      alsoRead();
      return { visible, posts: await search.similar(found, visibleFilter({ boardIds }, idsIn(visible))) };
    });
    const ownVotes = caller && (await votes.ownVotesOn(posts, caller.userId, { contiguous: false }));
    return { posts: posts.map((post) => suggestedPostView(post, visible, caller?.userId, ownVotes)) };
  },
});
