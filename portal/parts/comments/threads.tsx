import { createContext } from "preact";
import { useContext, useEffect, useRef } from "preact/hooks";
import type { Post, Schemas } from "../../api.ts";
import { type Item, isComment, linkedComment, type Thread } from "../../comments.ts";
import { useRead } from "../../data.ts";
import { t } from "../../text.ts";
import { Badge, When } from "../basics.tsx";
import { OneComment } from "./one-comment.tsx";
import { useOrder } from "./order.ts";

/** The comment that the address names, if it stands among those that are shown first. */
export const Named = createContext<string | undefined>(undefined);

/** Brings the comment that the address names to the screen, with the keyboard, once it is there. */
function useShown(isThere: boolean) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isThere) return;
    element.current?.focus();
    element.current?.scrollIntoView({ block: "center" });
  }, [isThere]);
  return element;
}

/** The comment that the address names, above all others: it stands on a later page of them. */
export function Linked({ post, id }: { post: Post; id: string }) {
  const { data, failure } = useRead(linkedComment(post.postId, id));
  const element = useShown(Boolean(data));
  const { addressOf } = useOrder(post);
  if (failure || data === null) return <p class="problem">{failure?.message ?? t("COMMENT_NOT_FOUND")}</p>;
  if (!data || data.gone) return null;
  return (
    <section ref={element} tabIndex={-1} class="panel linked" aria-label={t("linkedComment")}>
      <OneComment post={post} each={data} all={[data]} prefix="linked-" isNamed />
      <a href={`${addressOf()}#comments`}>{t("allComments")}</a>
    </section>
  );
}

type BranchProps = { post: Post; thread: Thread; all: Item[] };

export function Branch({ post, thread: { item, replies }, all }: BranchProps) {
  const isNamed = useContext(Named) === item.id;
  const element = useShown(isNamed);
  if (!isComment(item)) return <Moved change={item} />;
  if (item.gone) return null;
  return (
    <li id={item.id} class={item.comment.is_internal ? "note" : undefined}>
      {isNamed ? (
        <section ref={element} tabIndex={-1} class="named" aria-label={t("linkedComment")}>
          <OneComment post={post} each={item} all={all} isNamed />
        </section>
      ) : (
        <OneComment post={post} each={item} all={all} />
      )}
      {replies.length > 0 && (
        <ol class="comments">
          {replies.map((thread) => (
            <Branch key={thread.item.id} post={post} thread={thread} all={all} />
          ))}
        </ol>
      )}
    </li>
  );
}

function Moved({ change: { from, to, created_at } }: { change: Schemas["StatusActivity"] }) {
  return (
    <li class="meta">
      <span class="badge team">{t("team")}</span> {t("status")} {from && <Badge of={from} />} →{" "}
      {to && <Badge of={to} standsOut />} <When at={created_at} />
    </li>
  );
}
