import { fieldCommentsOf } from "./comments.ts";

// What a field is, where its name does not say it. A name means the same everywhere; where it does not, the doc comment
// above the field in its resource or endpoint wins, or the entry of its owner here: `<resource>.<field>`, or
// `<endpoint>.<field>`.

/**
 * A field: its description, and what its type does not say of its values in answers. The schema of a request says it
 * itself.
 */
type Field = {
  description?: string;
  type?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  enum?: readonly string[];
};

const COUNT = { type: "integer", minimum: 0 };
const DECIMAL = { pattern: "^\\d+$" };
const COLOR = { description: "Six hex digits without a leading #.", pattern: "^[0-9a-f]{6}$" };
const MARKDOWN = "Markdown, as it was sent: **sanitise it after rendering.**";
const LONG_TEXT = "Markdown of at most 20,000 bytes in UTF-8.";
const FILTER_BOARDS = "Posts of these boards only: one id or an array of ids.";
const FILTER_STATUSES = "Posts of these statuses only: one id or an array of ids.";
const SEARCHED = "Text to find in names, case-insensitive. May contain slashes.";
const FIRST = "The number of items; a larger number counts as the maximum.";

const fields: Record<string, Field | string> = {
  // Accounts
  authToken: { description: "The bearer token of later requests: a JWT.", pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]+$" },
  username: "A unique name that never changes.",
  email: { description: "Stored trimmed and in lower case.", format: "email" },
  password: "With `COMMON_PASSWORDS=refuse`, a new password must not be one of the 3,000 commonest.",
  "auth-log-in.password": {},
  avatar: { description: "The address of a picture.", format: "uri" },
  isVerified: "Whether the address is confirmed.",
  newEmail: "The address that waits for its confirmation; null if there is none.",
  role: { description: "What the account may do.", enum: ["owner", "moderator", "member", "suspended"] },
  roles: "The role again, in the form that LogChimp uses; empty for a member.",
  isSystem: "Always true: roles are fixed.",
  "UserRole.id": { description: "The name of the role." },
  "ListedUser.posts": { description: "The number of the account's posts, as a decimal string.", ...DECIMAL },
  "ListedUser.votes": { description: "The number of the account's votes, as a decimal string.", ...DECIMAL },
  "Author.role": "The role of an owner or a moderator; absent for members.",
  "Vote.role": "The role of an owner or a moderator; absent for members.",
  permissions: "The permissions of the caller's role.",
  users: "The same array as `results`.",
  postsCount: { description: "The number of posts.", ...COUNT },
  "ListedUser.votesCount": { description: "The number of the account's votes.", ...COUNT },
  token: "The token in the link of a mail.",
  keys: "The API keys, expired ones included.",
  "keys-create.name": "What the key is for.",
  "ApiKey.name": "What the key is for.",
  secret: {
    description: "The key itself, for the header `Authorization`. No other answer has it, not even a repeated one.",
    pattern: "^fb_[A-Za-z0-9_-]{76}$",
  },
  "Webhook.url": { description: "Where messages are sent.", format: "uri" },
  "webhooks-create.url": { description: "Where to send messages.", format: "uri" },
  "webhooks-update.url": { description: "Where to send messages.", format: "uri" },
  "Webhook.events": "The types of events that the webhook gets.",
  "Webhook.description": "What the webhook is for; null without a description.",
  "Webhook.status": "`failing` after five failures in a row: only the oldest and the newest delivery are tried.",
  webhooks: "The same array as `results`.",
  health: "How the last deliveries went.",
  lastStatus: "The status of the last answer; null if there was none yet.",
  lastSuccessAt: "When a delivery last arrived; null if none has arrived.",
  failuresInARow: { description: "The number of failed attempts since the last success.", ...COUNT },
  deliveries: "The same array as `results`.",
  eventId: "The id of the event, which is the `webhook-id` of its messages.",
  "Delivery.type": "The type of the event.",
  "Delivery.status": "`failed` after the last attempt.",
  "Delivery.lastStatus": "The status of the last answer; null if there was none.",
  "Delivery.reason": "Why the last attempt had no answer; null if it had one.",
  attempts: { description: "The number of attempts.", ...COUNT },
  attemptedAt: "When the last attempt was; null before the first.",
  nextAttemptAt: "When the next attempt is due; null if there is none.",
  "webhooks-replay.from": {
    description: "From this moment on; by default from the oldest event that is kept.",
    format: "date-time",
  },
  "webhooks-replay.to": { description: "Until this moment; by default until now.", format: "date-time" },
  "webhooks-replay.next": "The `after` of the next call; null if no events are left.",
  "webhooks-replay.after": "The `next` of the previous call. If `from` is later, that counts.",
  replayed: { description: "The number of events that will be delivered.", ...COUNT },
  "webhooks-create.events": "The types of events to send.",
  "webhooks-create.description": "What the webhook is for.",
  "webhooks-create.secret": "Signs the messages (Standard Webhooks). No other answer has it.",
  "webhooks-rotate.secret": "Signs the messages from now on. No other answer has it.",
  "webhooks-update.events": "The types of events to send.",
  "webhooks-update.description": "What the webhook is for; null removes the description.",
  "webhooks-update.status": "`active` enables a disabled webhook.",
  "webhooks-test.status": "The status of the answer; null if there was none.",
  ms: "How long the answer took, in milliseconds; null if there was none.",
  reason: "Why there was no answer; null if there was one.",
  "users-permissions.scopes": "The scopes that an API key of the caller can have; empty if the caller makes no keys.",
  scopes: "The permissions of the key. A key may never do more than its account.",
  lastFour: "The last four characters of the secret.",
  expiresAt: "When the key expires: at most, and by default, 365 days after its creation.",
  lastUsedOn: "The UTC day of the last call with the key; null if there was none.",
  keepKeys: "`true`: the API keys of the account stay valid.",
  siteTitle: "The title of the site; `Feedback` if absent.",
  setupCode: "The code of the deployment, whose hash is `SETUP_CODE_SHA256`.",
  success: "Always true.",
  valid: "Whether the token can set a new password.",

  // Posts and votes
  slug: "The post's name in addresses: words of the title, and the `slugId`.",
  "posts-by-slug.slug": "The slug of a post, or one of its last ten earlier slugs.",
  slugId: { description: "The end of every slug of the post: its id in base 36.", pattern: "^[0-9a-z]{25}$" },
  contentMarkdown: MARKDOWN,
  "posts-create.contentMarkdown": LONG_TEXT,
  "posts-update.contentMarkdown": LONG_TEXT,
  author: "The account that wrote the post.",
  authorId: "The account on whose behalf the owner writes; the caller's own if absent.",
  "PostBySlug.by": {
    description: "The account that wrote the post on the author's behalf, if any; only for moderators and owners.",
    format: "uuid",
  },
  board: "The board; null if the post has none, or the caller may not see it.",
  roadmap: "The roadmap; null if the post has none, or the caller may not see it.",
  "boards-create.board": "The new board.",
  "boards-update.board": "The board after the change.",
  "boards-by-url.board": "The board with this url.",
  "roadmaps-create.roadmap": "The new roadmap.",
  "roadmaps-update.roadmap": "The roadmap after the change.",
  "roadmaps-by-url.roadmap": "The roadmap with this url.",
  votes: "The first votes in the order in which they were cast: at most 6 in a list, otherwise at most 100.",
  "posts-votes.votes": "The votes of the page.",
  by: {
    description: "The account that voted on the user's behalf, if any; only for moderators and owners.",
    format: "uuid",
  },
  votesCount: { description: "The exact number of all votes.", ...COUNT },
  viewerVote: "The caller's vote, even if `votes` does not include it; null if the caller has not voted.",
  "posts-list.boardId": FILTER_BOARDS,
  "posts-create.boardId": "The board of the post; if absent, the oldest board that the caller may see.",
  "posts-update.boardId": "The new board of the post; null takes the post off its board.",
  "posts-list.roadmapId": "Posts of this roadmap only.",
  "posts-update.roadmapId": "The new roadmap of the post; null takes the post off its roadmap.",
  roadmap_id: "Null if the post is on no roadmap.",
  "CreatedPost.boardId": "Null if the post is on no board.",

  "posts-similar.title": "The part of the title that has been typed.",
  "posts-similar.boardId": FILTER_BOARDS,
  "posts-similar.posts": "The posts, the most similar first.",
  query: "Words of titles; the last one may be the start of a longer word, if it has at least three characters.",
  "posts-search.boardId": FILTER_BOARDS,
  "posts-search.roadmapId": "Posts of this roadmap only.",
  "posts-search.status": FILTER_STATUSES,
  "posts-search.first": FIRST,
  "posts-search.page": "The number of the page, from 1 to 5. By default the first.",
  "posts-search.total_pages": "How many pages of this size there are: at most 5.",
  "posts-search.total_count": "How many titles match, as far as they were compared.",
  "posts-search.posts": "The posts, the most similar first, then those with the most votes.",

  statuses: "The statuses, archived ones last.",
  "posts-list.status": FILTER_STATUSES,
  "posts-set-status.status": "The id of a status that is not archived, or the post's own status.",
  "posts-set-status.text": "The official response, in Markdown; null or empty removes it.",
  "statuses-replace.statuses": "The new list, in its order; it must contain `open`.",
  "statuses-replace.id": "The id of an existing status; absent for a new one.",
  "Status.id": { description: "Never changes." },
  "ListedStatus.id": { description: "Never changes." },
  kind: "What the status means, whatever its name.",
  archived: "If true, the status cannot be given to further posts.",
  response: "The official response of the team; null if there is none.",
  text: MARKDOWN,
  "OfficialResponse.status": "The status of the post when the response was given; null if it has been deleted since.",
  "OfficialResponse.by": {
    description: "The account that responded; only for moderators and owners, in answers with one post.",
    format: "uuid",
  },
  "statuses-delete.statusId": { description: "The id of an archived status." },

  // Comments
  activity: "The comment with its author.",
  "comments-list.activity": "The comments of the page, newest first.",
  type: "Always `comment`.",
  body: MARKDOWN,
  parent_id: "The comment that this one replies to; null if it replies to the post.",
  notify: "Whether readers of the post get a mail about it; by default yes.",
  is_internal: "Whether this is a note, which only moderators and owners see.",
  is_edited: "Whether the comment was changed after its creation.",
  edited_by: {
    description: "The account that changed the comment last, if not its author; only for moderators and owners.",
    format: "uuid",
  },
  is_spam: "Always false; existing clients read it.",
  "comments-list.visibility": "Comments, notes or both; notes only for moderators and owners.",
  "Activity.author": "The account that wrote the comment.",
  commentsCount: { description: "The number of public comments.", ...COUNT },

  // Boards and roadmaps
  "roadmaps-list.roadmaps": "The same array as `results`.",
  url: {
    description: "The name in addresses: 1 to 50 characters a-z, 0-9, - and, for boards only, _.",
    pattern: "^[a-z0-9_-]{1,50}$",
  },
  "boards-by-url.url": {},
  "roadmaps-by-url.url": {},
  "boards-search.name": SEARCHED,
  "roadmaps-search.name": SEARCHED,
  color: COLOR,
  display: "Whether everybody sees it; otherwise only moderators and owners do.",
  view_voters: "Whether clients should show the voters.",
  post_count: { description: "The number of its posts, as a decimal string.", ...DECIMAL },
  index: { description: "The place in the order of roadmaps.", type: "integer" },
  "roadmaps-sort.index": "Ignored: the ids decide.",
  available: "Whether the url is free.",
  from: "The roadmap at the target place.",
  to: "The roadmap to move.",

  // Events
  "Event.type":
    "What happened. If a comment becomes a note, that is `comment.deleted`; if a note becomes public, `comment.created`.",
  "Event.by": "The account that did it.",
  "Event.boardId": "The board that the post had then.",
  "Event.from": "The status before; null if it has been deleted since.",
  "Event.to": "The status after; null if it has been deleted since.",
  "Event.changed": "The changed fields of a post: `response` is the official response.",
  "events-list.types": "Events of these types only.",
  "message.type": "What happened.",
  "message.timestamp": { description: "When it happened.", format: "date-time" },
  "message.from": "The id of the status before.",
  "message.to": "The id of the status after.",
  "message.changed": "The changed fields of the post: `response` is the official response.",
  "message.post": "The post as an anonymous reader sees it; absent once it is deleted.",
  "message.comment": "The comment as an anonymous reader sees it; absent once it is deleted.",
  "StatusActivity.type": { description: "Always `status`." },
  "StatusActivity.from": "The status before.",
  "StatusActivity.to": "The status after.",
  "StatusActivity.by": "The account that changed it; for moderators and owners only.",
  "comments-list.type": "What to list: comments, changes of the status, or both.",
  "events-list.first": "The number of events; a larger number counts as the maximum.",
  "events-list.end_cursor": "The place that the page reached: `after` of the next call, even after an empty page.",

  // Lists
  page: "The number of the page.",
  limit: "The number of items on a page; a larger number counts as the maximum.",
  "users-create.created": "Whether this call created the account.",
  "posts-list.sort":
    "The order of the posts, instead of `created`. `top`: most votes first, `trending`: most recent votes first.",
  sort: "The order by creation, instead of `created`.",
  "users-list.email": { description: "Only the account with this address.", format: "email" },
  created: "The order by creation: newest (desc) or oldest (asc) first.",
  first: "Paging by cursor: the number of items on a page; a larger number counts as the maximum.",
  after: "Paging by cursor: the `end_cursor` of an earlier answer, even if that item is gone.",
  visibility: "Which roadmaps; private ones only for moderators and owners.",
  count: { description: "The number of items on this page.", ...COUNT },
  current_page: { description: "The number of this page, from 1.", type: "integer", minimum: 1 },
  end_cursor: "The cursor of the last item: `after` of the next page; null on an empty page.",
  start_cursor: "The cursor of the first item; null on an empty page.",
  total_pages: { description: "The number of all pages of this size.", ...COUNT },
  total_count: { description: "The number of all items.", ...COUNT },
  total_is_minimum: "Whether there may be more posts than `total_count`: only with several filters together.",

  // The site
  description: "What the site is about; null removes it.",
  logo: "The address of the logo; null removes it.",
  icon: "The address of the icon; null removes it.",
  accentColor: COLOR,
  sendsMail: "Whether the site sends mails. Without, a forgotten password cannot be reset.",
  requiresVerified: "Whether posting and voting need a confirmed address.",
  allowSignup: "Whether the site accepts new accounts.",
  googleAnalyticsId: "A property of Google Analytics, for clients; null if there is none.",
  isPoweredBy: "Always true; existing clients read it.",
  developer_mode: "For clients: whether to show developer tools.",
  labs: "Features that the owner can switch on.",
  voteOnBehalf: "Whether clients offer votes on behalf of others.",
  access: "Always true.",
};

const ID = /^(id|by|(?!slug|googleAnalytics)\w+(Id|_id))$/;
const TIME = /(At|_at)$/;

function formatOf(name: string): Field {
  if (ID.test(name)) return { format: "uuid" };
  return TIME.test(name) ? { format: "date-time" } : {};
}

const used = new Set<string>();

const resourceFields = fieldCommentsOf("lib/http/resources/*.ts");

/** The doc comment of a field of a resource, or of the body, path or query of an endpoint. */
function commentOf(owner: string, name: string): string | undefined {
  if (!owner.includes("-")) return resourceFields[`${owner}.${name}`];
  const comments = fieldCommentsOf(`functions/${owner.replace("-", "/")}.ts`);
  // In an endpoint the constants that hold fields are not exported.
  return comments[`.${name}`];
}

export function fieldOf(owner: string, name: string): Field {
  const description = commentOf(owner, name);
  if (description !== undefined) return { ...formatOf(name), description };
  const key = [`${owner}.${name}`, name].find((each) => each in fields) ?? "";
  used.add(key);
  const field = fields[key] ?? {};
  return typeof field === "string"
    ? { ...formatOf(name), description: field }
    : { ...(!fields[key] && formatOf(name)), ...field };
}

export function unusedFields(): string[] {
  return Object.keys(fields).filter((key) => !used.has(key));
}
