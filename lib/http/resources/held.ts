import * as z from "zod/mini";
import { NOTHING_HELD, Whose } from "../../accounts/moderation-policy.ts";
import type { Site } from "../../accounts/site.ts";
import { shownOf, type UserRecord } from "../../accounts/users.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Held as HeldRecord } from "../../posts/held.ts";
import { heldFor } from "../../posts/holding.ts";
import type { PostRecord } from "../../posts/posts.ts";
import { createdAt } from "../../values/ids.ts";
import { Author, authorView } from "./accounts.ts";
import { Board, boardView } from "./catalogue.ts";
import { OwnFields } from "./posts.ts";

/** What the owner lets the team look at before others see it, and whom they keep out. */
export const ModerationPolicy = z.object({
  posts: Whose,
  comments: Whose,
  links: z.boolean(),
  words: z.array(z.string()),
  blockedMailDomains: z.array(z.string()),
});
export type ModerationPolicy = z.infer<typeof ModerationPolicy>;

/** Before the owner has chosen, nothing is held or blocked. */
export function policyView({ moderation, blockedMailDomains = [] }: Partial<Site> = {}): ModerationPolicy {
  const { posts, comments, links, words } = moderation ?? NOTHING_HELD;
  return { posts, comments, links, words, blockedMailDomains };
}

const CommentedPost = z.pick(OwnFields, { postId: true, title: true, slug: true });

/** A post or comment of the caller that waits for the team. */
export const OwnHeld = z.object({
  id: z.string(),
  /** What it is. */
  kind: z.enum(["post", "comment"]),
  since: z.string(),
  /** The title of a post; a comment has none. */
  title: z.nullable(z.string()),
  /** The text of a post or comment, in Markdown. */
  text: z.nullable(z.string()),
  /** The board of a post; null for a comment, and if the board is gone. */
  board: z.nullable(Board),
  /** The post that a comment is for; null for a post, and if that post is gone. */
  post: z.nullable(CommentedPost),
});
export type OwnHeld = z.infer<typeof OwnHeld>;

/** What a view needs besides: the boards that the caller sees, and the posts that comments are for. */
export type Around = { catalogue: Pick<Catalogue, "boards">; posts: PostRecord[] };

export function ownHeldView(held: HeldRecord, { catalogue, posts }: Around): OwnHeld {
  const { id, kind } = held;
  const since = createdAt(id);
  if (held.kind === "comment") {
    const post = posts.find(({ postId }) => postId === held.postId);
    const shown = post && { postId: post.postId, title: post.title, slug: post.slug };
    return { id, kind, since, title: null, text: held.body, board: null, post: shown ?? null };
  }
  const board = catalogue.boards.find(({ boardId }) => boardId === held.boardId);
  const text = held.contentMarkdown ?? null;
  return { id, kind, since, title: held.title, text, board: board ? boardView(board) : null, post: null };
}

/** A post or comment that waits for the team, as the team sees it. */
export const Held = z.extend(OwnHeld, {
  /** Who wrote it; null if the account is gone. */
  author: z.nullable(Author),
  /** Why it waits: a newcomer wrote it, it has links or words of the list, or all are held. */
  reasons: z.array(z.enum(heldFor)),
});
export type Held = z.infer<typeof Held>;

export function heldView(held: HeldRecord, around: Around, authors: UserRecord[]): Held {
  const author = authors.find(({ userId }) => userId === held.userId);
  return {
    ...ownHeldView(held, around),
    author: author ? authorView(shownOf(author)) : null,
    reasons: held.reasons,
  };
}
