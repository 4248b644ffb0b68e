import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { change, reloadShown, useRead } from "../data.ts";
import { attempt } from "../deeds.ts";
import { castFirstVote } from "../first-vote.ts";
import { announce } from "../notices.ts";
import { Badge, Heading } from "../parts/basics.tsx";
import { Check, Choice, Field, type Values } from "../parts/fields.tsx";
import { Form } from "../parts/form.tsx";
import { PostCard } from "../parts/post-row.tsx";
import { ShownAs } from "../parts/shown-as.tsx";
import { useLater } from "../parts/use-later.ts";
import { loadTeamTools, useTeamTools } from "../parts/use-team-tools.ts";
import { isCounted, postLists, type Suggestion, sendPost, similarPosts } from "../posts.ts";
import { token } from "../session.ts";
import { useAllBoards, useCan, useIsSuspended, useMustConfirm } from "../site.ts";
import { t } from "../text.ts";

/** After this time the orders by votes have a new post. */
const RANKED_MS = 3000;

/**
 * Posts like a title: the one of the address, and what is typed, a moment after the last key. Without an answer people
 * just continue.
 */
function useSimilar(given: string): [similar: Suggestion[], typed: (title: string) => void] {
  const [title, setTitle] = useState("");
  // Not read for the page that the server renders.
  useEffect(() => setTitle(given), []);
  return [useRead(similarPosts(title)).data ?? [], useLater(setTitle)];
}

/** What Safari says of the Enter that ends a Japanese word, after the word has ended. */
const COMPOSED = 229;

/** Enter leads from the title to the details: few mean to publish a title alone, beside posts like it. */
function goOn(event: JSX.TargetedKeyboardEvent<HTMLInputElement>): void {
  const { key, ctrlKey, metaKey, isComposing, keyCode, currentTarget } = event;
  if (key !== "Enter" || ctrlKey || metaKey || isComposing || keyCode === COMPOSED) return;
  event.preventDefault();
  currentTarget.form?.querySelector("textarea")?.focus();
}

/** Posts that may be what the person wants: they can vote for them in place. */
function Suggestions({ posts }: { posts: Suggestion[] }) {
  return (
    <div class="panel">
      <h2>{t("similar")}</h2>
      <ul class="cards">
        {posts.map((post) => (
          <PostCard key={post.postId} post={post}>
            {post.status.kind !== "open" && <Badge of={post.status} standsOut />}
            {isCounted(post.voters) && (
              <span>
                {t("youVoted")} <a href={`/posts/${post.slug}`}>{t("openPost")}</a>
              </span>
            )}
          </PostCard>
        ))}
      </ul>
    </div>
  );
}

/** Says before anything is written that it could not be published. */
function Closed({ reason }: { reason: "suspendedHint" | "EMAIL_NOT_VERIFIED" }) {
  return (
    <section class="narrow">
      <Heading>{t("newPost")}</Heading>
      <p>{t(reason)}</p>
      {reason === "EMAIL_NOT_VERIFIED" && <a href="/profile">{t("anotherLink")}</a>}
    </section>
  );
}

export function NewPostPage() {
  const { route, query } = useLocation();
  const boards = useAllBoards().data ?? [];
  const tools = useTeamTools();
  // Moderators write in their own name only.
  const forOthers = useCan()("post:assign") ? tools : undefined;
  const [similar, typed] = useSimilar(query.title?.trim() ?? "");
  const isSuspended = useIsSuspended();
  const mustConfirm = useMustConfirm();
  if (isSuspended || mustConfirm) return <Closed reason={isSuspended ? "suspendedHint" : "EMAIL_NOT_VERIFIED"} />;
  const send = async ({ title = "", author, authorName, votes, ...content }: Values, key: string) => {
    const authorId = author && (await (await loadTeamTools()).personOf("author", author, authorName)).userId;
    const { post, held } = await sendPost({ title, ...content, ...(authorId && { authorId }) }, key);
    if (held) {
      route("/my/posts");
      announce(t("isHeld"));
      return;
    }
    // The post is there, whatever becomes of the vote.
    const vote = votes ? castFirstVote(post.postId, authorId) : Promise.resolve();
    await vote.catch(() => {});
    // Lists that were read a moment ago lack it.
    change(postLists, () => undefined);
    setTimeout(reloadShown, RANKED_MS);
    route(`/posts/${post.slug}`);
    announce(t("published"));
    await attempt(vote);
  };
  return (
    <section class="narrow">
      <Heading>{t("newPost")}</Heading>
      <Form
        send={send}
        button={t("publish")}
        beside={<a href="/">{t("cancel")}</a>}
        draft="post"
        isGuarded
        door={({ title = "" }) => ({ does: "post", title, draft: "post" })}
      >
        {!token.value && <p class="quiet-text">{t("writeFirst")}</p>}
        <ShownAs />
        <Field
          name="title"
          label={t("title")}
          value={query.title}
          onInput={(e) => typed(e.currentTarget.value.trim())}
          onKeyDown={goOn}
          enterKeyHint="next"
          hint={t("titleHint")}
          maxLength={250}
          required
        />
        <div aria-live="polite">{similar.length > 0 && <Suggestions posts={similar} />}</div>
        <Field name="contentMarkdown" label={t("details")} rows={8} isMarkdown />
        {boards.length > 1 && <Choice name="boardId" label={t("board")} value={query.board} options={boards} />}
        {/* What a kept draft says of the author waits for the fields. */}
        {forOthers ? (
          <forOthers.AuthorFields />
        ) : (
          ["author", "authorName"].map((name) => <input key={name} type="hidden" name={name} />)
        )}
        <Check name="votes" label={forOthers?.countTheirVote() ?? t("countMyVote")} on />
      </Form>
    </section>
  );
}
