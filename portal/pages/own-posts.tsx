import { useLocation } from "preact-iso/router";
import { AccountNav } from "../parts/account-nav.tsx";
import { Empty, Heading } from "../parts/basics.tsx";
import { useAsLastList } from "../parts/last-list.ts";
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
      <AccountNav />
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
