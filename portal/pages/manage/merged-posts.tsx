import { useEffect, useRef, useState } from "preact/hooks";
import type { Post } from "../../api.ts";
import { reloadShown, useRead } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Action, When } from "../../parts/basics.tsx";
import { Pages } from "../../parts/pages.tsx";
import { nameOf } from "../../text.ts";
import { type Merged, mergedPosts, unmerge } from "./merges.ts";
import { teamText } from "./team-text.ts";

/** What opens and closes the list. */
const MERGED_POSTS = "merged-posts";

const AGAIN_MS = 1500;

/** As the list itself reads it. */
const firstPage = (postId: string) => mergedPosts(postId, undefined);

/** What this browser has done to a post, which sends votes on their way. */
type Deed = "merged" | "parted";

/** Posts of which the page was read before those votes came or went. */
const outdated = new Map<string, Deed>();

/** To be called once a merge, or its end, has begun to move the votes of a post. */
export function expectVotes(postId: string, deed: Deed): void {
  outdated.set(postId, deed);
}

/** Whether the list of these posts is what the person who merged them looks for. */
export function awaitsVotes(postId: string): boolean {
  return outdated.has(postId);
}

/** Whether votes are on their way. Looks again until they are there, and then shows what has changed. */
function useIsMoving(postId: string): boolean {
  const { data, again } = useRead(firstPage(postId));
  const isMoving = data?.isMoving ?? false;
  const wasMoving = useRef(false);
  useEffect(() => {
    if (isMoving) {
      wasMoving.current = true;
      const timer = setInterval(() => void again(), AGAIN_MS);
      return () => clearInterval(timer);
    }
    if (!data) return undefined;
    // A few votes are there before the page looks for the first time.
    const deed = outdated.get(postId);
    outdated.delete(postId);
    if (deed || wasMoving.current) reloadShown();
    if (deed === "merged" || wasMoving.current) announce(teamText("votesMoved"));
    wasMoving.current = false;
    return undefined;
  }, [data]);
  return isMoving;
}

/** The posts that were merged into a post: each can be taken out again. */
export function MergedPosts({ post: { postId } }: { post: Post }) {
  const { data } = useRead(firstPage(postId));
  const isMoving = useIsMoving(postId);
  const [parted, setParted] = useState<Post>();
  const isEmpty = data === undefined || data.merged.length === 0;
  if (isEmpty && !isMoving && !parted) return null;
  const takeOut = async ({ postId: mergedId, title }: Merged) => {
    setParted(await unmerge(mergedId));
    expectVotes(postId, "parted");
    expectVotes(mergedId, "parted");
    // The row of the button goes.
    document.getElementById(MERGED_POSTS)?.focus();
    reloadShown();
    announce(teamText("takenOut", { title }));
  };
  return (
    <details class="panel" open>
      <summary id={MERGED_POSTS}>{teamText("mergedPosts")}</summary>
      {isMoving && <p role="status">{teamText("votesMove")}</p>}
      {parted && (
        <p>
          {teamText("standsAlone")}{" "}
          <a href={`/posts/${parted.slug}`} dir="auto">
            {parted.title}
          </a>
        </p>
      )}
      <Pages
        query={(after) => mergedPosts(postId, after)}
        show={({ merged, isMoving }) => (
          <ul class="rows">
            {merged.map((each) => (
              <Row key={each.postId} merged={each} isMoving={isMoving} takeOut={takeOut} />
            ))}
          </ul>
        )}
      />
    </details>
  );
}

type RowProps = { merged: Merged; isMoving: boolean; takeOut: (merged: Merged) => Promise<void> };

/** While votes are on their way, nothing can be taken out. */
function Row({ merged, isMoving, takeOut }: RowProps) {
  const { title, mergedAt, mergedBy } = merged;
  return (
    <li class="item">
      <span class="wide">
        <bdi>{title}</bdi>{" "}
        <span class="quiet-text facts">
          <When at={mergedAt} /> {mergedBy && <bdi>{nameOf(mergedBy)}</bdi>}
        </span>
      </span>
      {!isMoving && (
        <Action
          act={() => takeOut(merged)}
          label={teamText("takeOut")}
          of={title}
          ask={teamText("askTakeOut", { title })}
        />
      )}
    </li>
  );
}
