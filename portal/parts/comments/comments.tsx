import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Post } from "../../api.ts";
import { comments, threadsOf } from "../../comments.ts";
import { useRead } from "../../data.ts";
import { useCan } from "../../site.ts";
import { t } from "../../text.ts";
import { notTranslated } from "../basics.tsx";
import { Icon } from "../icons.tsx";
import { FromTheFirst, Pages } from "../pages.tsx";
import { useIsClosed } from "./closed.ts";
import { useOrder } from "./order.ts";
import { Branch, Linked, Named } from "./threads.tsx";
import { Write } from "./write.tsx";

/**
 * The comments on a post in an order, page by page; replies stand below what they answer, the oldest first. `children`
 * stand above the form.
 */
export function Comments({ post, children }: { post: Post; children?: ComponentChildren }) {
  const { query } = useLocation();
  const { isOldestFirst, addressOf } = useOrder(post);
  useOldAddress(post);
  const isClosed = useIsClosed(post);
  const seesNotes = useCan()("comment:view_internal");
  const { data, failure } = useRead(comments(post.postId, seesNotes, isOldestFirst, query.after));
  const isThere = data?.activity.some(({ id }) => id === query.comment) ?? false;
  const isElsewhere = (data !== undefined || failure !== undefined) && !isThere;
  return (
    <section aria-labelledby="comments">
      <div class="of-comments">
        <h2 id="comments" {...notTranslated}>
          {t("comments", { n: post.commentsCount })}
        </h2>
        {post.commentsCount > 1 && (
          <nav class="tabs" aria-label={t("order")}>
            {[false, true].map((oldest) => (
              <a
                key={oldest}
                href={`${addressOf({}, oldest)}#comments`}
                aria-current={oldest === isOldestFirst ? "true" : undefined}
              >
                {t(oldest ? "oldestFirst" : "newestFirst")}
              </a>
            ))}
          </nav>
        )}
      </div>
      {query.comment && isElsewhere && <Linked key={query.comment} post={post} id={query.comment} />}
      {post.isLocked && (
        <p class="meta">
          <Icon name="lock" /> {t("POST_LOCKED")}
        </p>
      )}
      {children}
      {!isClosed && <Folded post={post} />}
      {query.after && <FromTheFirst href={addressOf()} />}
      <Named.Provider value={isThere ? query.comment : undefined}>
        <Pages
          key={`${post.postId} ${seesNotes} ${isOldestFirst} ${query.after}`}
          query={(after = query.after) => comments(post.postId, seesNotes, isOldestFirst, after)}
          address={(after) => `${addressOf({ after })}#comments`}
          show={({ activity }) => (
            <ol class="comments">
              {threadsOf(activity, isOldestFirst).map((thread) => (
                <Branch key={thread.item.id} post={post} thread={thread} all={activity} />
              ))}
            </ol>
          )}
        />
      </Named.Provider>
    </section>
  );
}

/** The form, which on a phone is one line until it has the keyboard: the comments are what people come for. */
function Folded({ post }: { post: Post }) {
  const [isOpen, setOpen] = useState(false);
  return (
    // It stays open, or what is pressed next would move away.
    <div class="write" data-open={isOpen} onFocusIn={() => setOpen(true)}>
      <Write post={post} />
    </div>
  );
}

/** Mails name a comment behind `#`, which the server does not see, and which finds only what is on the page. */
function useOldAddress({ slug }: Post): void {
  const { route } = useLocation();
  useEffect(() => {
    const [, id] = /^#([0-9a-f-]{36})$/.exec(location.hash) ?? [];
    if (id) route(`/posts/${slug}?comment=${id}`, true);
  }, []);
}
