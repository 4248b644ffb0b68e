import * as users from "../../lib/accounts/users.ts";
import { idsOf } from "../../lib/catalogue/tags.ts";
import type { OwnRows } from "../../lib/moving/form.ts";
import type { Work } from "../../lib/moving/work.ts";
import type { OfficialResponse, PostRecord } from "../../lib/posts/posts.ts";
import type { Key } from "../../lib/table/keys.ts";
import { NIL } from "../../lib/values/ids.ts";
import type { StatusLetter } from "../../lib/values/statuses.ts";
import { FIRST_SLUGS, writeFurtherSlugs } from "./former-slugs.ts";
import type { Names } from "./people.ts";

// What posts of an export and posts that were merged have in common.

/** What a restored post needs of what stands above it. */
export type Restoring = {
  importId: string;
  names: Names;
  work: Work;
  /** The boards, roadmaps and tags that are here, and the letters of the statuses. */
  entries: Set<string>;
  letters: Map<string, StatusLetter | undefined>;
};

// No status has this letter: it stands for one that has been deleted.
const GONE: StatusLetter = "?";

// A transaction has at most 100 parts: a change has one, a choice two.
export const CHANGES = 90;
export const FOLLOWS = 45;

/** A post as it is stored. The author is nobody if the account is gone. */
export async function recordOf(
  post: OwnRows["post"] | OwnRows["merged"],
  { names, entries, letters }: Restoring,
): Promise<PostRecord> {
  const shown = await names.of(post.author === undefined ? [] : [post.author]);
  const {
    ref: postId,
    title,
    slug,
    body: contentMarkdown,
    by,
    board = "",
    roadmap = "",
    earlierSlugs,
    updatedAt,
  } = post;
  return {
    postId,
    title,
    slug,
    contentMarkdown,
    author: shown.get(post.author ?? "") ?? users.NOBODY,
    by,
    boardId: entries.has(board) ? board : undefined,
    roadmapId: entries.has(roadmap) ? roadmap : undefined,
    status: letters.get(post.status),
    tagIds: idsOf((post.tags ?? []).filter((tagId) => entries.has(tagId))),
    oldSlugs: earlierSlugs,
    response: responseOf(post, letters),
    isLocked: post.locked,
    updatedAt: Date.parse(updatedAt),
  };
}

function letterOf(letters: Restoring["letters"], status: string | undefined): StatusLetter | undefined {
  return status === undefined || !letters.has(status) ? GONE : letters.get(status);
}

function responseOf(
  { response, responseAt, responseStatus, responseBy, updatedAt }: OwnRows["post"] | OwnRows["merged"],
  letters: Restoring["letters"],
): OfficialResponse | undefined {
  if (response === undefined) return undefined;
  const at = Date.parse(responseAt ?? updatedAt);
  return { text: response, status: letterOf(letters, responseStatus), at, by: responseBy };
}

/** A change of a status, as it is stored. */
export function changeOf({ from, to, by = NIL }: OwnRows["change"], letters: Restoring["letters"]) {
  return { from: letterOf(letters, from), to: letterOf(letters, to), by };
}

/** The choices of accounts that are here. */
export async function withAccount(follows: OwnRows["follow"][], { names }: Restoring): Promise<OwnRows["follow"][]> {
  const shown = await names.of(follows.map(({ account }) => account));
  return follows.filter(({ account }) => shown.has(account));
}

/** Writes the slugs of other portals for which the transaction of a post had no room. */
export async function restoreSlugs(
  { ref: postId, otherSlugs = [] }: OwnRows["post"] | OwnRows["merged"],
  home: Key,
  { importId, work }: Restoring,
): Promise<void> {
  const further = otherSlugs.slice(FIRST_SLUGS);
  if (further.length > 0) await work(() => writeFurtherSlugs(importId, { postId, home }, further));
}
