import { sendComment } from "../../comments.ts";
import { attempt } from "../../deeds.ts";
import type { Intent, Wish } from "../../doors.ts";
import { dropDraft, keptDraft } from "../../drafts.ts";
import { castFirstVote } from "../../first-vote.ts";
import { announce } from "../../notices.ts";
import type { Values } from "../../parts/fields.tsx";
import { followUnlessChosen, sendPost } from "../../posts.ts";
import { ofBrowser } from "../../store.ts";
import { t } from "../../text.ts";
import { withQuery } from "../../with-query.ts";
import { DONE, type Done } from "./awaited.ts";

// Publishes a comment or a post without its form: for a new account, which is asked for its name before it gets there.

type Written = Extract<Intent, { draft: string }>;

/** What is sent, once under the key. */
type Sending = (intent: Written, values: Values, key: string, next: string | undefined) => Promise<Done>;

const sendsComment: Sending = async ({ on = "", answers }, { body = "", is_internal, follows }, key, next = "/") => {
  const parent = answers && { parent_id: answers };
  const { activity, held } = await sendComment(on, { body, is_internal: Boolean(is_internal), ...parent }, key);
  const said = t(held ? "isHeld" : "commented");
  announce(said);
  if (held) return { next, said };
  if (follows && !is_internal) await attempt(followUnlessChosen(on));
  const { pathname, searchParams } = new URL(next, location.origin);
  const order = searchParams.get("order") ?? undefined;
  return { next: withQuery(pathname, { order, comment: activity.id }), said };
};

const sendsPost: Sending = async (_, { title = "", votes, ...content }, key) => {
  const { post, held } = await sendPost({ title, ...content }, key);
  const said = t(held ? "isHeld" : "published");
  announce(said);
  if (held) return { next: "/my/posts", said };
  if (votes) await attempt(castFirstVote(post.postId, undefined));
  return { next: `/posts/${post.slug}`, said };
};

/**
 * Publishes what was typed, and returns where the person sees it. If that fails, they are led to the form, which sends
 * itself under the same key, and says why it fails.
 */
export async function publish(intent: Written, where: Wish): Promise<Wish> {
  const { draft, does } = intent;
  const { key, values = {} } = keptDraft(draft);
  if (!key) return { ...where, intent };
  try {
    const send = does === "comment" ? sendsComment : sendsPost;
    const done = await send(intent, values, key, where.next);
    dropDraft(draft);
    // Before that tab has the session.
    if (where.of) ofBrowser.set(DONE + where.of, JSON.stringify(done));
    return { next: done.next };
  } catch {
    return { ...where, intent };
  }
}
