import { useLocation } from "preact-iso/router";
import { Empty, Heading } from "../parts/basics.tsx";
import { NavLink } from "../parts/layout.tsx";
import { Pages } from "../parts/pages.tsx";
import { PostRow } from "../parts/post-row.tsx";
import { ownPosts } from "../posts.ts";
import { token } from "../session.ts";
import { t } from "../text.ts";
import { SignInPage } from "./account/sign-in.tsx";

/** What the account that is signed in has written, or voted for. */
export function OwnPostsPage() {
  const { path } = useLocation();
  const tie = path === "/my/votes" ? "votes" : "posts";
  if (!token.value) return <SignInPage />;
  return (
    <>
      <nav class="parts" aria-label={t("profile")}>
        <NavLink href="/my/posts">{t("my_posts")}</NavLink>
        <NavLink href="/my/votes">{t("my_votes")}</NavLink>
      </nav>
      <Heading>{t(`my_${tie}`)}</Heading>
      <Pages
        key={tie}
        query={(after) => ownPosts(tie, after)}
        show={({ posts }) =>
          posts.length === 0 ? (
            <Empty title={t("noOwnPosts")} hint={t("noOwnPostsHint")}>
              <a class="button" href="/">
                {t("toPosts")}
              </a>
            </Empty>
          ) : (
            <ol class="rows">
              {posts.map((post) => (
                <PostRow key={post.postId} post={post} />
              ))}
            </ol>
          )
        }
      />
    </>
  );
}
