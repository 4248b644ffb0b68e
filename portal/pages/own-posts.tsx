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
import { PostRows } from "../parts/post-row.tsx";
import { ownPosts } from "../posts.ts";
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

/** What the account that is signed in has written, or voted for. */
export default function OwnPostsPage() {
  const { path } = useLocation();
  useAsLastList();
  const tie = path === "/my/votes" ? "votes" : "posts";
  return (
    <>
      <AccountNav />
      <Heading>{t(`my_${tie}`)}</Heading>
      {tie === "posts" && <HeldThings />}
      <Pages
        key={tie}
        query={(after) => ownPosts(tie, after)}
        show={({ posts }, isFirst) =>
          posts.length === 0 ? (
            isFirst && (tie === "posts" ? <NoPostsUnlessHeld /> : <NoPosts />)
          ) : (
            <PostRows posts={posts} />
          )
        }
      />
    </>
  );
}
