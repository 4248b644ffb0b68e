import { useState } from "preact/hooks";
import type { Post } from "../../api.ts";
import { useRead } from "../../data.ts";
import { Action, Badge, Pending } from "../../parts/basics.tsx";
import { useLater } from "../../parts/use-later.ts";
import { postLists, type Suggestion, type Summary } from "../../posts.ts";
import { t } from "../../text.ts";
import { teamText } from "./team-text.ts";

const LONGEST_SEARCH = 100;
const MOST_FOUND = 10;

type ChooseProps = { post: Post; similar: Suggestion[]; choose: (slug: string) => void };

/** Finds another post: similar ones come without a word, the others by the search. */
export function Choose({ post, similar, choose }: ChooseProps) {
  const [query, setQuery] = useState("");
  const searchSoon = useLater(setQuery);
  return (
    <>
      <input
        type="search"
        dir="auto"
        aria-label={t("searchPosts")}
        placeholder={t("searchPosts")}
        maxLength={LONGEST_SEARCH}
        onInput={(event) => searchSoon(event.currentTarget.value.trim())}
      />
      {query ? (
        <Found post={post} query={query} choose={choose} />
      ) : (
        <Offered posts={similar} none={teamText("noSimilar")} choose={choose} />
      )}
    </>
  );
}

type FoundProps = { post: Post; query: string; choose: (slug: string) => void };

function Found({ post, query, choose }: FoundProps) {
  const { data, ...read } = useRead(postLists({ query, sort: "trending", first: MOST_FOUND }));
  if (!data) return <Pending {...read} lines={3} />;
  const others = data.posts.filter(({ postId }) => postId !== post.postId);
  return <Offered posts={others} none={t("noMatches")} choose={choose} />;
}

type OfferedProps = { posts: (Suggestion | Summary)[]; none: string; choose: (slug: string) => void };

function Offered({ posts, none, choose }: OfferedProps) {
  return (
    <>
      <p class="quiet-text" role="status">
        {posts.length > 0 ? t("postsCount", { n: posts.length }) : none}
      </p>
      <ul class="rows">
        {posts.map(({ postId, slug, title, status, board, voters }) => (
          <li key={postId} class="item">
            <span class="wide">
              <a href={`/posts/${slug}`} dir="auto">
                {title}
              </a>
              <span class="meta">
                <span class="quiet-text">{t("votes", { n: voters.votesCount })}</span>
                {status.kind !== "open" && <Badge of={status} standsOut />}
                {board && <Badge of={board} />}
              </span>
            </span>
            <Action act={() => choose(slug)} label={teamText("mergeInto")} of={title} kind="" />
          </li>
        ))}
      </ul>
    </>
  );
}
