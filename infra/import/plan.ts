import type { Import } from "../../lib/moving/journal.ts";
import { namedIdAt } from "../../lib/values/ids.ts";
import { postIdOf } from "../../lib/values/slugs.ts";
import { COMMENT } from "./fields.ts";
import type { Problem } from "./formats/form.ts";
import type { Bundle, ResolvedComment } from "./resolve.ts";
import { split } from "./texts.ts";

// What a post of a source becomes, with its votes and comments, before anything is written.

/** What a post becomes here: ids are made from the source's, so that each run makes the same ones. */
export type Planned = {
  postId: string;
  at: number;
  votes: { voteId: string; email: string }[];
  comments: PlannedComment[];
  slugs: string[];
};

export type PlannedComment = {
  commentId: string;
  email: string;
  body: string;
  isInternal: boolean;
  parentId: string | undefined;
};

/** Plans a post with all that belongs to it. A slug that cannot lead to it is reported. */
export function plan(bundle: Bundle, { importId, startedAt }: Import, report: (problem: Problem) => void): Planned {
  const { post, merged } = bundle;
  const at = post.at ?? startedAt;
  const postId = namedIdAt(at, `${importId} post ${post.ref}`);
  const slugs = [post, ...merged].flatMap(({ slug }) => (slug === undefined ? [] : [slug]));
  // A slug that ends in an id is looked up by that id, so it cannot lead here.
  for (const slug of slugs.filter((each) => postIdOf(each) !== undefined))
    report({ place: post.place, field: "slug", value: slug, what: "looks like a slug of ours: it leads nowhere" });
  return {
    postId,
    at,
    votes: bundle.votes.map(({ email, at: votedAt }) => ({
      voteId: namedIdAt(votedAt ?? at, `${importId} vote ${postId} ${email}`),
      email,
    })),
    comments: [...restOf(bundle, importId, at), ...mergedIn(bundle, importId, at), ...commentsOf(bundle, importId, at)],
    slugs: [...new Set(slugs)].filter((each) => postIdOf(each) === undefined),
  };
}

/** The end of a text that is too long for its post. */
function restOf({ post }: Bundle, importId: string, at: number): PlannedComment[] {
  return post.body.slice(1).map((body, n) => ({
    commentId: namedIdAt(at + n, `${importId} rest ${post.ref} ${n}`),
    email: post.email,
    body,
    isInternal: false,
    parentId: undefined,
  }));
}

/** A post that was merged into another one stays as a comment there. */
function mergedIn({ merged }: Bundle, importId: string, at: number): PlannedComment[] {
  return merged.flatMap(({ ref, title, body, response, email, at: mergedAt = at }) =>
    split([`**${title}**`, ...body, ...quoted(response)].join("\n\n"), COMMENT, COMMENT).map((piece, n) => ({
      commentId: namedIdAt(mergedAt + n, `${importId} merged ${ref} ${n}`),
      email,
      body: piece,
      isInternal: false,
      parentId: undefined,
    })),
  );
}

/** An official response, as a quotation in the comment. */
function quoted(response: string | undefined): string[] {
  return response === undefined ? [] : [response.replace(/^/gm, "> ")];
}

function commentsOf({ comments }: Bundle, importId: string, at: number): PlannedComment[] {
  const idOf = ({ ref, at: writtenAt = at }: ResolvedComment, n = 0) =>
    namedIdAt(writtenAt + n, `${importId} comment ${ref} ${n}`);
  const byRef = new Map(comments.map((comment) => [comment.ref, comment]));
  return comments.flatMap((comment) => {
    const parent = byRef.get(comment.parent ?? "");
    // A public answer to a note must not name it.
    const answered = parent?.internal && !comment.internal ? undefined : parent;
    return comment.body.map((body, n) => ({
      commentId: idOf(comment, n),
      email: comment.email,
      body,
      isInternal: comment.internal,
      parentId: answered && idOf(answered),
    }));
  });
}
