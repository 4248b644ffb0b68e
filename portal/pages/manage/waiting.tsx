import { answer } from "../../api.ts";
import { define } from "../../data.ts";
import { loadMarkdown } from "../../load-markdown.ts";
import { nextOf } from "../../paging.ts";
import { Empty } from "../../parts/basics.tsx";
import { Pages } from "../../parts/pages.tsx";
import { PostRow } from "../../parts/post-row.tsx";
import { type PostList, summaryOf } from "../../posts.ts";
import { teamText } from "./team-text.ts";

/** Open posts to which the team has not responded, the newest first. */
const waiting = define("waiting", async (client, after?: string): Promise<PostList> => {
  const query = { first: 20, ...(after && { after }) };
  const reading = answer(client.GET("/posts/waiting", { params: { query } }));
  const [{ results, page_info }] = await Promise.all([reading, loadMarkdown()]);
  return { posts: results.map(summaryOf), ...nextOf(page_info) };
});

export function WaitingPosts() {
  return (
    <Pages
      query={waiting}
      show={({ posts, after }) =>
        posts.length === 0 && !after ? (
          <Empty title={teamText("noWaiting")} hint={teamText("noWaitingHint")} />
        ) : (
          <ol class="rows whole">
            {posts.map((post) => (
              <PostRow key={post.postId} post={post} />
            ))}
          </ol>
        )
      }
    />
  );
}
