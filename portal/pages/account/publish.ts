import { api, once } from "../../api.ts";
import { sendComment } from "../../comments.ts";
import { attempt } from "../../deeds.ts";
import type { Intent, Wish } from "../../doors.ts";
import { dropDraft, keptDraft, nameOf } from "../../drafts.ts";
import { castFirstVote } from "../../first-vote.ts";
import { announce } from "../../notices.ts";
import type { Values } from "../../parts/fields.tsx";
import { followUnlessChosen } from "../../posts.ts";
import { ofBrowser, ofTab } from "../../store.ts";
import { t } from "../../text.ts";
import { withQuery } from "../../with-query.ts";

// Publishes a comment or a post without its form: for a new account, which is asked for its name before it gets there.

type Written = Extract<Intent, { draft: string }>;

/** What is sent, once under the key, and where it is shown then. */
type Sending = (intent: Written, values: Values, key: string, next: string | undefined) => Promise<string | undefined>;

const sendsComment: Sending = async ({ draft, on = "" }, { body = "", is_internal, follows }, key, next = "/") => {
  // A reply has its draft under the id of what it answers, another comment under the post's.
  const answered = draft.replace("write-", "");
  const parent = answered !== on && { parent_id: answered };
  const { activity, held } = await sendComment(on, { body, is_internal: Boolean(is_internal), ...parent }, key);
  announce(t(held ? "isHeld" : "commented"));
  if (held) return next;
  if (follows && !is_internal) await attempt(followUnlessChosen(on));
  const { pathname, searchParams } = new URL(next, location.origin);
  return withQuery(pathname, { order: searchParams.get("order") ?? undefined, comment: activity.id });
};

const sendsPost: Sending = async (_, { title = "", contentMarkdown, boardId, votes }, key) => {
  const body = { title, ...(contentMarkdown && { contentMarkdown }), ...(boardId && { boardId }) };
  const { post, held } = await once((header) => api.POST("/posts", { body, params: { header } }), key);
  announce(t(held ? "isHeld" : "published"));
  if (held) return "/my/posts";
  if (votes) await attempt(castFirstVote(post.postId, undefined));
  return `/posts/${post.slug}`;
};

/** Keeps all that the account had typed as a visitor for each tab, until it is sent: no closed tab loses it. */
export function keepForAllTabs(): void {
  const prefix = nameOf("");
  for (const each of ofTab.keys()) if (each.startsWith(prefix)) ofBrowser.set(each, ofTab.get(each) ?? "{}");
}

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
    const next = await send(intent, values, key, where.next);
    dropDraft(draft);
    return { next };
  } catch {
    return { ...where, intent };
  }
}
