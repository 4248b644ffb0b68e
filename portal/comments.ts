import { type Api, answer, Failure, type Schemas } from "./api.ts";
import { change, define } from "./data.ts";
import { loadMarkdown } from "./load-markdown.ts";
import { nextOf } from "./paging.ts";

/** A comment; `gone` while it is being deleted. */
export type Activity = Schemas["Activity"] & { gone?: boolean };
export type Item = Activity | Schemas["StatusActivity"];
/** A page of comments and changes of status, the newest first. */
type CommentPage = { activity: Item[]; isFirst: boolean; after?: string };

async function pageOf(client: Api, postId: string, seesNotes: boolean, after?: string): Promise<CommentPage> {
  const query = {
    first: 20,
    type: ["comment" as const, "status" as const],
    ...(after && { after }),
    ...(seesNotes && { visibility: ["public", "internal"] as ("public" | "internal")[] }),
  };
  const params = { path: { postId }, query };
  const { activity, page_info } = await answer(client.GET("/posts/{postId}/activity", { params }));
  return { activity, isFirst: after === undefined, ...nextOf(page_info) };
}

export const comments = define("comments", pageOf);

/** One comment, wherever it stands among the others; null if it is gone, or not for the reader. */
export const linkedComment = define("comment", async (client, postId: string, commentId: string) => {
  const params = { path: { postId, commentId } };
  const call = answer(client.GET("/posts/{postId}/comments/{commentId}", { params }));
  const isGone = (failure: unknown) => failure instanceof Failure && failure.status < 429;
  const orNull = call.catch((failure: unknown) => {
    // The post is there all the same.
    if (isGone(failure)) return null;
    throw failure;
  });
  const [found] = await Promise.all([orNull, loadMarkdown()]);
  return found && (found.activity as Activity);
});

/** The id of a comment that is shown before the service has it. */
export const PENDING = "pending";

export function isComment(item: Item): item is Activity {
  return item.type === "comment";
}

function changePages(postId: string, how: (page: CommentPage) => Item[]): void {
  change(comments, (page, ofPost) => (ofPost === postId ? { ...page, activity: how(page) } : page));
}

export function changeComment(postId: string, id: string, changes: Partial<Activity>): void {
  changePages(postId, ({ activity }) =>
    activity.map((each) => (each.id === id ? ({ ...each, ...changes } as Activity) : each)),
  );
  change(linkedComment, (each, _, ofId) => (each && ofId === id ? { ...each, ...changes } : each));
}

/** Takes a comment out of the pages, and puts another one on top of the first, or on the page of what it answers. */
export function putComment(postId: string, id: string, comment?: Activity): void {
  const parentId = comment?.comment.parent_id;
  let isPut = false;
  changePages(postId, (page) => {
    const others = page.activity.filter((each) => each.id !== id && each.id !== comment?.id);
    const isIts = page.activity.some((each) => each.id === parentId);
    if (!comment || isPut || !isIts) return others;
    isPut = true;
    return [comment, ...others];
  });
  if (!comment || isPut) return;
  changePages(postId, ({ activity, isFirst }) => (isFirst ? [comment, ...activity] : activity));
}

/** A comment or a change of status, with the answers to it, the oldest first. */
export type Thread = { item: Item; replies: Thread[] };

/** The items of a page, replies below what they answer. A reply to a comment on another page stands by itself. */
export function threadsOf(items: Item[]): Thread[] {
  const threads = new Map(items.map((item) => [item.id, { item, replies: [] } as Thread]));
  const parentOf = (item: Item) =>
    isComment(item) && item.comment.parent_id ? threads.get(item.comment.parent_id) : undefined;
  for (const item of [...items].reverse()) parentOf(item)?.replies.push(threads.get(item.id) as Thread);
  return items.filter((item) => !parentOf(item)).map((item) => threads.get(item.id) as Thread);
}
