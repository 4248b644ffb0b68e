import { useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { answer, api } from "../api.ts";
import { define, useRead } from "../data.ts";
import { carryOut } from "../deeds.ts";
import { loadMarkdown } from "../load-markdown.ts";
import { AccountNav } from "../parts/account-nav.tsx";
import { Action, Empty, Heading, Pending, When } from "../parts/basics.tsx";
import { useAsLastList } from "../parts/last-list.ts";
import { Markdown } from "../parts/markdown.tsx";
import { Pages } from "../parts/pages.tsx";
import { PostRow, PostRows } from "../parts/post-row.tsx";
import { ShownAs } from "../parts/shown-as.tsx";
import { follow, ownPosts, type Summary, type Tie } from "../posts.ts";
import { useIsSuspended } from "../site.ts";
import { t } from "../text.ts";
import { accountText } from "./account/account-text.ts";

/** What of the account waits for the team. */
const held = define("held", async (client) => {
  const [{ results }] = await Promise.all([answer(client.GET("/users/profile/held")), loadMarkdown()]);
  return results;
});

function withdraw(heldId: string, again: () => Promise<void>): Promise<void> {
  const call = api.DELETE("/users/profile/held/{heldId}", { params: { path: { heldId } } });
  return carryOut(answer(call), again, accountText("heldWithdrawn"));
}

function HeldThings() {
  const { data: things = [], failure, again } = useRead(held());
  if (failure && things.length === 0) return <Pending failure={failure} again={again} />;
  if (things.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="held">
      <h2 id="held">{accountText("heldThings")}</h2>
      <ul class="cards">
        {things.map(({ id, title, text, post, since }) => (
          <li key={id}>
            <div>
              <b dir="auto">{title ?? t("comment")}</b>
              {text && <Markdown text={text} above={2} />}
              <p class="meta">
                {post && <a href={`/posts/${post.slug}`}>{post.title}</a>} <When at={since} />
              </p>
              <p class="actions">
                <Action
                  act={() => withdraw(id, again)}
                  label={accountText("withdrawHeld")}
                  of={title ?? t("comment")}
                  ask={accountText("askWithdrawHeld")}
                />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoPosts() {
  return (
    <Empty title={accountText("noOwnPosts")} hint={accountText("noOwnPostsHint")}>
      <a class="button" href="/">
        {t("toPosts")}
      </a>
    </Empty>
  );
}

/** Not while something waits for the team: it stands above. */
function NoPostsUnlessHeld() {
  const { data: things, failure } = useRead(held());
  return failure || things?.length === 0 ? <NoPosts /> : null;
}

/** Takes back that the person follows a post. It stays in the list meanwhile, and can be followed again. */
function Follow({ post: { postId, title } }: { post: Summary }) {
  const [isFollowing, setFollowing] = useState(true);
  const isSuspended = useIsSuspended();
  const toggle = async () => {
    await follow(postId, !isFollowing);
    setFollowing(!isFollowing);
  };
  return (
    <p class="answer">
      <Action act={toggle} label={t(isFollowing ? "leave" : "follow")} of={title} kind="" isOff={isSuspended} />
    </p>
  );
}

function FollowedRows({ posts, isOwn }: { posts: Summary[]; isOwn: boolean }) {
  return (
    <ol class="rows">
      {posts.map((post) => (
        <PostRow key={post.postId} post={post} isOwn={isOwn}>
          <Follow post={post} />
        </PostRow>
      ))}
    </ol>
  );
}

/** What stands in the place of a first page without posts. */
function NoneOf({ tie }: { tie: Tie }) {
  return tie === "posts" ? <NoPostsUnlessHeld /> : <NoPosts />;
}

/** What an address lists; without an entry here, what the account has written. */
const TIES: Record<string, Tie> = { "/my/votes": "votes", "/my/follows": "follows" };

/** What the account that is signed in has written, voted for, or follows. */
export default function OwnPostsPage() {
  const { path } = useLocation();
  useAsLastList();
  const tie = TIES[path] ?? "posts";
  const Rows = tie === "follows" ? FollowedRows : PostRows;
  return (
    <>
      <AccountNav />
      <Heading>{t(`my_${tie}`)}</Heading>
      <ShownAs />
      {tie === "posts" && <HeldThings />}
      <Pages
        key={tie}
        query={(after) => ownPosts(tie, after)}
        show={({ posts, after }, isFirst) => {
          if (posts.length > 0) return <Rows posts={posts} isOwn />;
          // There may be others behind many that the person stopped following.
          return isFirst && !after && <NoneOf tie={tie} />;
        }}
      />
    </>
  );
}
