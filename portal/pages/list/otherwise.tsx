import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso/router";
import { useRead } from "../../data.ts";
import { nearPosts, type Summary } from "../../posts.ts";
import { t } from "../../text.ts";
import { newPostUrl } from "./address.ts";
import { ClearFilters, Rows } from "./rows.tsx";

/** A search that finds fewer posts is offered others. */
const FEW = 3;

/** The shortest start of a word that the API finds. */
const SHORTEST_START = 3;

/** The first half of the longest word: its other forms share it, and it may be a word of a compound ("darkmode"). */
function stemOf(words: string): string {
  const [longest = ""] = words.split(/[^\p{L}\p{M}\p{N}]+/u).sort((a, b) => b.length - a.length);
  const letters = [...longest];
  return letters.slice(0, Math.max(SHORTEST_START, Math.ceil(letters.length / 2))).join("");
}

/** What a person may do who has not found what they were looking for: what may be it, then a post of their own. */
export function Otherwise({ words, found }: { words: string; found: Summary[] }) {
  const { query } = useLocation();
  const offer = (
    <p class="actions otherwise">
      <a class="button" href={newPostUrl(query, undefined)}>
        {t("postThis", { words })}
      </a>
      {found.length === 0 && <ClearFilters />}
    </p>
  );
  if (found.length >= FEW) return offer;
  return (
    <Near words={words} found={found}>
      {offer}
    </Near>
  );
}

/** Posts on any board with other forms of the longest word, and what stands below them. */
function Near({ words, found, children }: { words: string; found: Summary[]; children: ComponentChildren }) {
  const { data } = useRead(nearPosts(stemOf(words)));
  // The offer below would move away from under a finger.
  if (!data) return null;
  const others = data.posts.filter(({ postId }) => found.every((each) => each.postId !== postId));
  return (
    <>
      {others.length > 0 && (
        <section class="near" aria-labelledby="near">
          <h2 id="near">{t("similar")}</h2>
          <Rows list={{ posts: others }} isFiltered />
        </section>
      )}
      {children}
    </>
  );
}
