import { useEffect } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso/router";
import type { Post } from "../../api.ts";
import { useRead } from "../../data.ts";
import type { Wish } from "../../doors.ts";
import { focusSoon } from "../../parts/focus.ts";
import { focusWhenThere } from "../../places.ts";
import { FOLLOW_ID, following, isCounted, voteId } from "../../posts.ts";
import { t } from "../../text.ts";
import { useOfLink } from "./entering.tsx";
import { firstText } from "./first-text.ts";

// A mail that signs in, sets a password or confirms an address may be opened in another browser than the one that asked
// for it. So its link names what the person wanted on a post, which the page of the post then offers. It does nothing
// by itself: a stranger may have asked for the mail.

const DOES = ["vote", "follow", "comment"] as const;

export type Wants = { does: (typeof DOES)[number]; postId: string };

function isOne(does: unknown): does is Wants["does"] {
  return DOES.some((each) => each === does);
}

/** The page of a post that offers what was wanted. */
const PAGE = /^\/posts\/([0-9a-f-]{36})\?wants=(\w+)$/;

/** What a visitor who asks for a mail wants on a post: an earlier link may have led them here. */
export function wantsOf({ intent, next = "" }: Wish): Wants | undefined {
  const [, named = "", wanted] = PAGE.exec(next) ?? [];
  if (!intent && isOne(wanted)) return { does: wanted, postId: named };
  if (!intent || !isOne(intent.does)) return undefined;
  if ("postId" in intent) return { does: intent.does, postId: intent.postId };
  return "on" in intent && intent.on ? { does: intent.does, postId: intent.on } : undefined;
}

/** What the link of a mail says that a person wanted, its post, and the page of the post that offers it. */
export function useWantedOfLink() {
  const { query } = useLocation();
  const does = useOfLink("wants", query.wants);
  const postId = useOfLink("post", query.post) ?? "";
  const next = `/posts/${postId}?wants=${does}`;
  if (!isOne(does) || !PAGE.test(next)) return {};
  return { does, post: `/posts/${postId}`, next };
}

function focusOn(does: Wants["does"], postId: string): void {
  if (does === "comment") focusSoon(() => document.querySelector<HTMLElement>("form textarea"));
  else focusWhenThere(does === "vote" ? voteId(postId) : FOLLOW_ID);
}

/** What has come of it: it may be done by now, or was before. */
function doneText(does: Wants["does"], { voters }: Post, isFollowing = false): string | undefined {
  if (does === "vote" && isCounted(voters)) return t("youVoted");
  return does === "follow" && isFollowing ? t("follows") : undefined;
}

/** Says what the person wanted, beside what does it, which has the keyboard. */
export function Wanted({ post }: { post: Post }) {
  const { wants } = useLocation().query;
  const { slug } = useRoute().params;
  const { data: subscription } = useRead(following(post.postId));
  useEffect(() => {
    if (isOne(wants)) focusOn(wants, post.postId);
  }, [wants, post.postId]);
  // Who is sent the present address, or opens it later, wants nothing.
  useEffect(() => {
    if (slug === post.slug) history.replaceState(history.state, "", location.pathname);
  }, [slug]);
  if (!isOne(wants)) return null;
  return (
    <p class="response" role="status">
      {doneText(wants, post, subscription?.isFollowing) ?? firstText(`wanted_${wants}`)}
    </p>
  );
}
