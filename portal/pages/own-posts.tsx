import { useLocation } from "preact-iso/router";
import { Empty, Heading } from "../parts/basics.tsx";
import { useAsLastList } from "../parts/last-list.ts";
import { NavLink } from "../parts/nav-link.tsx";
import { Pages } from "../parts/pages.tsx";
import { PostRow } from "../parts/post-row.tsx";
import { ownPosts } from "../posts.ts";
import { t } from "../text.ts";

/** What the account that is signed in has written, or voted for. */
export default function OwnPostsPage() {
  const { path } = useLocation();
  useAsLastList();
  const tie = path === "/my/votes" ? "votes" : "posts";
  return (
    <>
      <nav class="parts" aria-label={t("account")}>
        <NavLink href="/my/posts">{t("my_posts")}</NavLink>
        <NavLink href="/my/votes">{t("my_votes")}</NavLink>
        <NavLink href="/profile">{t("profile")}</NavLink>
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
