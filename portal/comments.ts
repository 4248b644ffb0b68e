import { type Api, answer, api, Failure, mayWorkLater, once, type Schemas } from "./api.ts";
import { change, define } from "./data.ts";
import { loadMarkdown } from "./load-markdown.ts";
import { nextOf } from "./paging.ts";

/** A comment; `gone` while it is being deleted. */
export type Activity = Schemas["Activity"] & { gone?: boolean };
export type Item = Activity | Schemas["StatusActivity"];
/** A page of comments and changes of status. `takesNew`: a new comment stands on it, in its order. */
type CommentPage = { activity: Item[]; isOldestFirst: boolean; takesNew: boolean; after?: string };

async function pageOf(
  client: Api,
  postId: string,
  seesNotes: boolean,
  isOldestFirst: boolean,
  after?: string,
): Promise<CommentPage> {
  const query = {
    first: 20,
    type: ["comment" as const, "status" as const],
    ...(isOldestFirst && { sort: "oldest" as const }),
    ...(after && { after }),
    ...(seesNotes && { visibility: ["public", "internal"] as ("public" | "internal")[] }),
  };
  const params = { path: { postId }, query };
  const { activity, page_info } = await answer(client.GET("/posts/{postId}/activity", { params }));
  const takesNew = isOldestFirst ? !page_info.has_next_page : after === undefined;
  return { activity, isOldestFirst, takesNew, ...nextOf(page_info) };
}

export const comments = define("comments", pageOf);

/** One comment, wherever it stands among the others; null if it is gone, or not for the reader. */
export const linkedComment = define("comment", async (client, postId: string, commentId: string) => {
  const params = { path: { postId, commentId } };
  const call = answer(client.GET("/posts/{postId}/comments/{commentId}", { params }));
  const isGone = (failure: unknown) => failure instanceof Failure && !mayWorkLater(failure);
  const orNull = call.catch((failure: unknown) => {
    // The post is there all the same.
    if (isGone(failure)) return null;
    throw failure;
  });
  const [found] = await Promise.all([orNull, loadMarkdown()]);
  return found && (found.activity as Activity);
});

type Content = { body: string; is_internal: boolean; parent_id?: string };

/** Sends a comment, once under the key. */
export function sendComment(postId: string, body: Content, key: string) {
  const path = { postId };
  return once((header) => api.POST("/posts/{postId}/comments", { params: { path, header }, body }), key);
}

/** The id of a comment that is shown before the service has it. */
export const PENDING = "pending";

export function isComment(item: Item): item is Activity {
  return item.type === "comment";
}

/** Changes the pages of a post. `list` names whose pages: in which order, and with notes or without. */
function changePages(postId: string, how: (page: CommentPage, list: string) => Item[]): void {
  change(comments, (page, ofPost, seesNotes, isOldestFirst) =>
    ofPost === postId ? { ...page, activity: how(page, `${seesNotes} ${isOldestFirst}`) } : page,
  );
}

export function changeComment(postId: string, id: string, changes: Partial<Activity>): void {
  changePages(postId, ({ activity }) =>
    activity.map((each) => (each.id === id ? ({ ...each, ...changes } as Activity) : each)),
  );
  change(linkedComment, (each, _, ofId) => (each && ofId === id ? { ...each, ...changes } : each));
}

/**
 * Takes a comment out of the pages, and puts another one on the page of what it answers, or on the one that takes new
 * comments. Returns whether a page of the order that is shown has it now.
 */
export function putComment(postId: string, id: string, isOldestFirst: boolean, comment?: Activity): boolean {
  const parentId = comment?.comment.parent_id;
  // Of both orders there may be pages, and of a visitor's list before the sign-in.
  const lists = new Set<string>();
  let isShown = false;
  const putOn = (page: CommentPage, list: string): Item[] => {
    if (!comment || lists.has(list)) return page.activity;
    lists.add(list);
    isShown ||= page.isOldestFirst === isOldestFirst;
    return page.isOldestFirst ? [...page.activity, comment] : [comment, ...page.activity];
  };
  changePages(postId, (page, list) => {
    const activity = page.activity.filter((each) => each.id !== id && each.id !== comment?.id);
    const isIts = page.activity.some((each) => each.id === parentId);
    return isIts ? putOn({ ...page, activity }, list) : activity;
  });
  changePages(postId, (page, list) => (page.takesNew ? putOn(page, list) : page.activity));
  return isShown;
}

/** A comment or a change of status, with the answers to it, the oldest first. */
export type Thread = { item: Item; replies: Thread[] };

/** The items of a page, replies below what they answer. A reply to a comment on another page stands by itself. */
export function threadsOf(items: Item[], isOldestFirst: boolean): Thread[] {
  const threads = new Map(items.map((item) => [item.id, { item, replies: [] } as Thread]));
  const parentOf = (item: Item) =>
    isComment(item) && item.comment.parent_id ? threads.get(item.comment.parent_id) : undefined;
  const oldestFirst = isOldestFirst ? items : [...items].reverse();
  for (const item of oldestFirst) parentOf(item)?.replies.push(threads.get(item.id) as Thread);
  return items.filter((item) => !parentOf(item)).map((item) => threads.get(item.id) as Thread);
}
