// What each field of requests and answers is. A name means the same everywhere; where it does not, an entry of its owner comes first:
// `<resource>.<field>`, or `<endpoint>.<field>`.

/** A field: its description, and what holds of it in answers beyond its type. What a request may hold, its schema says. */
type Field = {
  description: string;
  type?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  enum?: readonly string[];
};

function id(description: string): Field {
  return { description, format: "uuid" };
}
function time(description: string): Field {
  return { description, format: "date-time" };
}
function count(description: string): Field {
  return { description, type: "integer", minimum: 0 };
}
function text(description: string): Field {
  return { description };
}
function color(description: string): Field {
  return { description, pattern: "^[0-9a-f]{6}$" };
}

const fields: Record<string, Field> = {
  // Accounts
  authToken: { description: "The bearer token of later requests: a JWT.", pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]+$" },
  userId: id("The id of an account."),
  name: text("A name, as people read it."),
  username: text("The name of an account that no other has; it never changes."),
  email: { description: "An e-mail address, stored trimmed and in lower case.", format: "email" },
  password: text("The password; with the setting `COMMON_PASSWORDS=refuse` a new one is none of the 3,000 commonest."),
  "auth-log-in.password": text("The password."),
  avatar: { description: "The address of a picture.", format: "uri" },
  isVerified: text("Whether the address is confirmed."),
  role: { description: "What the account may do.", enum: ["owner", "moderator", "member", "suspended"] },
  roles: text("The role once more, as LogChimp's front end reads it; empty for a member."),
  isSystem: text("Always true: roles are fixed."),
  "UserRole.id": text("The name of the role."),
  user_role_id: id("The id of the account."),
  "ListedUser.posts": { description: "The number of the account's posts, as a decimal string.", pattern: "^\\d+$" },
  "ListedUser.votes": { description: "The number of the account's votes, as a decimal string.", pattern: "^\\d+$" },
  "Author.role": text("The role of an owner or a moderator; absent for members."),
  "Vote.role": text("The role of an owner or a moderator; absent for members."),
  permissions: text("The permissions of the caller's role."),
  user: text("The account."),
  users: text("The accounts: the same array as `results`."),
  token: text("The token in the link of a mail."),
  key: text("The API key."),
  keys: text("The API keys, expired ones included."),
  keyId: id("The id of an API key."),
  "keys-create.name": text("What the key is for, as its owner reads it."),
  "ApiKey.name": text("What the key is for, as its owner reads it."),
  secret: {
    description:
      "The key itself, for the header `Authorization`: told in this answer alone, and not when it is repeated.",
    pattern: "^fb_[A-Za-z0-9_-]{76}$",
  },
  scopes: text("What the key may do, where its account may: permissions, as endpoints name them."),
  lastFour: text("The last four characters of the secret."),
  "keys-create.expiresAt": time("When the key ends; never if absent."),
  "ApiKey.expiresAt": time("When the key ends; null if never."),
  siteTitle: text("The title of the site; `Feedback` if absent."),
  setupCode: text("The code that the setting `SETUP_CODE` asks for."),
  is_setup: text("Whether the site is set up."),
  success: text("Always true."),
  verify: text("Whether it is done."),
  reset: text("Whether it is done."),
  "auth-password-validate-token.reset": text("What is known about the token."),
  valid: text("Whether the token can set a new password."),

  // Posts and votes
  post: text("The post."),
  posts: text("The posts of the page."),
  postId: id("The id of a post."),
  title: text("The title."),
  slug: text("Names the post in addresses: words of the title, and the `slugId`."),
  "posts-by-slug.slug": text("The slug of a post, or one of its last ten earlier ones."),
  slugId: { description: "The end of every slug of the post: its id in base 36.", pattern: "^[0-9a-z]{25}$" },
  contentMarkdown: text("Markdown, as it was written: **sanitise it after rendering.**"),
  author: text("Who wrote the post."),
  authorId: id("The account on whose behalf the owner writes; the caller's own if absent."),
  "PostBySlug.by": id(
    "Who wrote it on the author's behalf; only for moderators and owners, absent where the author did.",
  ),
  board: text("The board; null without one, or if the caller may not see it."),
  roadmap: text("The roadmap; null without one, or if the caller may not see it."),
  createdAt: time("When it was made."),
  updatedAt: time("When it was last changed."),
  voters: text("The votes on the post."),
  votes: text("The first votes in the order in which they were cast: at most 6 in a list, else at most 100."),
  "posts-votes.votes": text("A page of the votes."),
  vote: text("The vote."),
  by: id("Who cast the vote on the user's behalf; only for moderators and owners, absent where the user did."),
  votesCount: count("The number of all votes, exact."),
  viewerVote: text("The caller's own vote, even where it is not among `votes`; null without one."),
  voteId: id("The id of a vote."),
  boardId: id("The id of a board."),
  "posts-list.boardId": text("Posts of these boards only: one id or an array of ids."),
  "posts-create.boardId": text("The board of the post; the oldest one that the caller may see if absent."),
  "posts-update.boardId": text("The board to move the post to; null takes it off its board."),
  "posts-list.roadmapId": text("Posts of this roadmap only."),
  "posts-update.roadmapId": text("The roadmap to put the post on; null takes it off its roadmap."),
  roadmap_id: id("The id of the post's roadmap; null without one."),
  "CreatedPost.boardId": id("The id of the post's board; null without one."),

  "posts-similar.title": text("The title, as far as it is typed."),
  "posts-similar.boardId": text("Posts of these boards only: one id or an array of ids."),
  "posts-similar.posts": text("The posts, the likest first."),
  query: text("Words of titles; the last one may be the start of a longer word, from three characters on."),
  "posts-search.boardId": text("Posts of these boards only: one id or an array of ids."),
  "posts-search.roadmapId": text("Posts of this roadmap only."),
  "posts-search.status": text("Posts of these statuses only: one id or an array of ids."),
  "posts-search.first": text("The number of posts at most; a larger number counts as the maximum."),
  "posts-search.posts": text("The posts, the likest first, then the most voted on."),

  status: text("What became of the post."),
  statuses: text("The statuses, archived ones last."),
  "posts-list.status": text("Posts of these statuses only: one id or an array of ids."),
  "posts-set-status.status": text("The id of a status that is not archived, or that the post has."),
  "posts-set-status.text": text("The official response, in Markdown; null or empty removes it."),
  "statuses-replace.statuses": text("The new list, in its order; it holds `open`."),
  "statuses-replace.id": text("The id of a status that exists; absent for a new one."),
  "statuses-replace.name": text("What people read."),
  "Status.id": text("Names the status in requests; it never changes."),
  "Status.name": text("What people read."),
  "ListedStatus.id": text("Names the status in requests; it never changes."),
  "ListedStatus.name": text("What people read."),
  kind: text("What the status means, whatever its name."),
  archived: text("Whether no further post gets the status."),
  response: text("What the team says officially; null if it has not."),
  text: text("Markdown, as it was written: **sanitise it after rendering.**"),
  "OfficialResponse.status": text("The status that it was given with."),
  respondedAt: time("When it was given."),

  // Comments
  commentId: id("The id of a comment."),
  activity: text("The comment with its author."),
  "comments-list.activity": text("The comments of the page, newest first."),
  type: { description: "What it is: always `comment`.", enum: ["comment"] },
  comment: text("The comment."),
  body: text("Markdown, as it was written: **sanitise it after rendering.**"),
  parent_id: id("The comment that this one answers; null if it answers the post."),
  is_internal: text("Whether it is a note, which moderators and owners alone see."),
  is_edited: text("Whether it was changed."),
  is_spam: text("Always false: read by existing clients."),
  updated_at: time("When it was last changed."),
  "comments-list.visibility": text("`public` or `internal`, or both, joined by a comma."),
  "Activity.author": text("Who wrote it."),
  commentsCount: count("The number of public comments."),

  // Boards and roadmaps
  boards: text("The boards."),
  roadmaps: text("The roadmaps."),
  "roadmaps-list.roadmaps": text("The roadmaps of the page: the same array as `results`."),
  id: id("The id."),
  url: {
    description: "Names it in addresses: 1 to 50 of a-z, 0-9, - and, of boards only, _.",
    pattern: "^[a-z0-9_-]{1,50}$",
  },
  "boards-by-url.url": text("The url of a board."),
  "roadmaps-by-url.url": text("The url of a roadmap."),
  "boards-search.name": text("Text to find in names, without regard to case. A slash may be sent as it is."),
  "roadmaps-search.name": text("Text to find in names, without regard to case. A slash may be sent as it is."),
  color: color("A colour: six hex digits without a leading #."),
  display: text("Whether everybody sees it; hidden ones are seen by moderators and owners."),
  view_voters: text("A wish that clients follow: whether to show who voted."),
  post_count: { description: "The number of its posts, as a decimal string.", pattern: "^\\d+$" },
  index: { description: "The place in the order of roadmaps.", type: "integer" },
  "roadmaps-sort.index": text("Ignored: the ids decide."),
  created_at: time("When it was made."),
  available: text("Whether the url is free."),
  from: text("The roadmap on which it was dropped: the other takes its place."),
  to: text("The roadmap that moves."),

  // Lists
  page: text("The number of the page."),
  limit: text("The number of items on a page; a larger number counts as the maximum."),
  "users-create.created": text("Whether the account was made now."),
  "posts-list.sort": text(
    "The order of the posts; wins over `created`. `top`: most votes first, `trending`: the hottest first.",
  ),
  created: text("The order by creation: newest (desc) or oldest (asc) first."),
  first: text("Pages by cursor: the number of items on a page; a larger number counts as the maximum."),
  after: text("Pages by cursor: `end_cursor` of an earlier answer. It goes on working when that item is gone."),
  visibility: text("Which roadmaps; private ones only for moderators and owners."),
  results: text("The items of the page."),
  page_info: text("Where in its list the page is."),
  count: count("The number of items on this page."),
  current_page: { description: "The number of this page, from 1.", type: "integer", minimum: 1 },
  has_next_page: text("Whether there is a next page."),
  end_cursor: text("The cursor of the last item: `after` of the next page; null on an empty page."),
  start_cursor: text("The cursor of the first item; null on an empty page."),
  total_pages: count("The number of all pages of this size."),
  total_count: count("The number of all items."),

  // The site
  settings: text("The settings of the site."),
  "SiteSettings.title": text("The title of the site."),
  "settings-update.title": text("The title of the site."),
  description: text("What the site is about; null removes it."),
  logo: text("The address of the logo; null removes it."),
  icon: text("The address of the icon; null removes it."),
  accentColor: color("The accent colour: six hex digits without a leading #."),
  allowSignup: text("Whether the site accepts new accounts."),
  googleAnalyticsId: text("A property of Google Analytics, for front ends; null without one."),
  isPoweredBy: text("Always true: read by existing clients."),
  developer_mode: text("For front ends: whether to show what developers need."),
  labs: text("What a front end offers only if the owner switched it on."),
  voteOnBehalf: text("Whether front ends offer votes on behalf of others."),
  access: text("Always true."),
};

const used = new Set<string>();

/** What is known about a field of a resource or an endpoint; throws if nothing is. */
export function fieldOf(owner: string, name: string): Field {
  const key = [`${owner}.${name}`, name].find((each) => each in fields);
  const field = fields[key ?? ""];
  if (!key || !field) throw new Error(`infra/openapi/fields.ts says nothing about ${owner}.${name}: add a description`);
  used.add(key);
  return field;
}

/** The entries that nothing has asked for. */
export function unusedFields(): string[] {
  return Object.keys(fields).filter((key) => !used.has(key));
}
