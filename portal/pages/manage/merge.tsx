import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Failure, Post } from "../../api.ts";
import { change, put, reloadShown, useRead } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Action, Pending } from "../../parts/basics.tsx";
import { Check, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { focusWhenThere } from "../../places.ts";
import { changePost, posts, similarPosts } from "../../posts.ts";
import { useSite } from "../../site.ts";
import { Choose } from "./choose-post.tsx";
import { showSection } from "./in-sight.ts";
import { expectVotes } from "./merged-posts.tsx";
import { merge, mergedPosts } from "./merges.ts";
import { teamText } from "./team-text.ts";

const SUMMARY = "merge";
const QUESTION = "merge-question";

/** Merges the post with another one: it is found, then the page says what will happen, and a button does it. */
export function Merge({ post }: { post: Post }) {
  const [isOpen, setOpen] = useState(false);
  const [slug, setSlug] = useState<string>();
  const similar = (useRead(similarPosts(post.title)).data ?? []).filter(({ postId }) => postId !== post.postId);
  const choose = (chosen?: string) => {
    setSlug(chosen);
    focusWhenThere(chosen ? QUESTION : SUMMARY);
  };
  const done = () => {
    setOpen(false);
    setSlug(undefined);
    reloadShown();
  };
  return (
    <details class="panel" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary id={SUMMARY}>
        {teamText("merge")}{" "}
        {similar.length > 0 && <span class="quiet-text">{teamText("similarCount", { n: similar.length })}</span>}
      </summary>
      {isOpen && !slug && <Choose post={post} similar={similar} choose={choose} />}
      {isOpen && slug && <Question post={post} slug={slug} close={() => choose()} done={done} />}
    </details>
  );
}

type QuestionProps = { post: Post; slug: string; close: () => void; done: () => void };

/** Says what a merge will do, and asks for it. Either of the posts may be the one that stays. */
export function Question({ post, slug, close, done }: QuestionProps) {
  const { data: other, ...read } = useRead(posts(slug));
  const [staysHere, setStaysHere] = useState(false);
  const { route } = useLocation();
  const { sendsMail } = useSite();
  // The keyboard begins above the sentences, and the button is below them.
  useEffect(() => showSection(document.getElementById(QUESTION)?.closest("details") ?? null), [!other]);
  if (!other) return <Pending {...read} lines={3} />;
  const from = staysHere ? other : post;
  const into = staysHere ? post : other;
  const send = async (values: Values) => {
    const merging = merge(from.postId, into.postId, "notify" in values);
    const merged = await merging.catch((failure: Failure) => {
      // One of them continues in another post by now, which is shown in its place.
      if (failure.code === "MERGE_CONFLICT") reloadShown();
      throw failure;
    });
    expectVotes(merged.postId, "merged");
    if (!staysHere) route(`/posts/${merged.slug}`);
    changePost(from.postId, () => undefined);
    put(posts(merged.slug), merged);
    change(mergedPosts, () => undefined);
    if (staysHere) done();
    // From its top: there are the title and the votes of what stays.
    scrollTo(0, 0);
    focusWhenThere("heading", true);
    announce(teamText("mergeBegun", { title: from.title, into: merged.title }));
  };
  return (
    <Form
      send={send}
      button={teamText("mergeNow")}
      label={teamText("merge")}
      beside={
        <>
          <Action act={() => setStaysHere(!staysHere)} label={teamText("otherWay")} kind="" />
          <Action act={close} label={teamText("chooseAnother")} />
        </>
      }
    >
      <Consequences from={from} into={into} />
      {sendsMail && <Check name="notify" label={teamText("tellOfMerge", { title: from.title })} on />}
    </Form>
  );
}

/** What a merge does, in sentences. */
function Consequences({ from, into }: { from: Post; into: Post }) {
  const { title } = from;
  const votes = from.voters.votesCount;
  const comments = from.commentsCount;
  return (
    <div class="consequences" aria-live="polite">
      <h2 id={QUESTION} tabIndex={-1} dir="auto">
        {teamText("askMerge", { title, into: into.title })}
      </h2>
      <ul>
        <li>{teamText("mergeStays", { into: into.title })}</li>
        <li>{teamText("mergeLeaves", { title })}</li>
        {votes > 0 && <li>{teamText("mergeVotes", { n: votes })}</li>}
        {comments > 0 && <li>{teamText("mergeComments", { n: comments })}</li>}
        <li>{teamText("mergeFollowers", { into: into.title })}</li>
        <li>{teamText("mergeUndo", { into: into.title })}</li>
      </ul>
    </div>
  );
}
