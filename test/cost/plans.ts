import { readFileSync } from "node:fs";
import { join } from "node:path";
import { plansIn } from "../support/store/calls.ts";

// What every endpoint asks of the store: `|` separates calls side by side, `;` one step from the next. After `=` comes
// the price.

export const plans = plansIn(`
  signup: TransactWriteItems (Put USER, Put USERS, Update USER_COUNT, Put CREDENTIALS, Put EMAIL, Put USERNAME, Put
    PEOPLE, Put PEOPLE, Put PEOPLE, Put OUTBOX, Put EVENTS) = 0 R 22 W
  setup: GetItem SITE ; TransactWriteItems (Put SITE, Put USER, Put USERS, Update USER_COUNT, Put CREDENTIALS, Put
    EMAIL, Put USERNAME, Put PEOPLE, Put PEOPLE, Put PEOPLE, Put PEOPLE, Put OUTBOX, Put EVENTS, Put CATALOGUE, Put
    BOARD_URL, Put CATALOGUE) = 1 R 32 W
  list, page 1: Query CATALOGUE | Query POSTS = 3 R
  list, page 1, with token, posts of more than 6 votes: GetItem USER | Query CATALOGUE | Query POSTS ; Query USER = 7
    R
  list, page 3, with token: GetItem USER | Query CATALOGUE | Query COUNTS ; Query LIST ; Query POSTS = 6 R
  list, beyond the end: Query CATALOGUE | Query COUNTS = 2 R
  list of a board, page 1: Query CATALOGUE | Query LIST ; BatchGetItem 20 POSTS = 22 R
  list of a board, page 1, with token, posts of more than 6 votes: GetItem USER | Query CATALOGUE | Query LIST ;
    BatchGetItem 20 POSTS ; BatchGetItem 6 USER = 29 R
  list of a board, last page, with token, posts of more than 6 votes: GetItem USER | Query CATALOGUE | Query COUNTS ;
    Query LIST ; BatchGetItem 20 POSTS ; BatchGetItem 6 USER = 30 R
  list of two boards, page 1: Query CATALOGUE | Query LIST | Query LIST ; BatchGetItem 20 POSTS = 23 R
  list of two boards, 50 posts: Query CATALOGUE | Query LIST | Query LIST ; BatchGetItem 100 POSTS = 103 R
  list of two boards, over the end of a busy day: Query CATALOGUE | Query COUNTS | Query COUNTS ; Query LIST | Query
    LIST ; BatchGetItem 30 POSTS = 40 R
  list of a board and a roadmap, page 1: Query CATALOGUE | Query COUNTS | Query COUNTS ; Query LIST ; BatchGetItem 20
    POSTS = 27 R
  list of a status, page 1: Query CATALOGUE ; Query LIST ; BatchGetItem 20 POSTS = 22 R
  list of a status, page 2: Query CATALOGUE | Query COUNTS ; Query LIST ; BatchGetItem 8 POSTS = 11 R
  list of open posts, page 3: Query CATALOGUE | Query COUNTS ; Query LIST ; BatchGetItem 20 POSTS = 23 R
  list by votes, page 1: Query CATALOGUE | Query TOP ; BatchGetItem 20 POSTS = 22 R
  list by votes of a board, page 3, with token: GetItem USER | Query CATALOGUE | Query TOP ; BatchGetItem 20 POSTS =
    23 R
  list by votes of a roadmap and a status, page 1: Query CATALOGUE | Query TOP ; BatchGetItem 20 POSTS = 25 R
  trending list of two boards, page 3: Query CATALOGUE | Query TRENDING | Query TRENDING ; BatchGetItem 20 POSTS = 23
    R
  list of two boards and a status, page 1: Query CATALOGUE | Query COUNTS | Query COUNTS | Query COUNTS ; Query LIST ;
    BatchGetItem 20 POSTS = 25 R
  list of a tag, page 1: Query CATALOGUE | Query LIST ; BatchGetItem 10 POSTS = 12 R
  list of a tag, page 2, with token: GetItem USER | Query CATALOGUE | Query COUNTS ; Query LIST ; BatchGetItem 6 POSTS =
    10 R
  list by votes of a tag and a board, page 1: Query CATALOGUE | Query TOP ; BatchGetItem 8 POSTS = 13 R
  slug, with token: BatchGetItem 4 USER POSTS | Query CATALOGUE | Query VOTES = 6 R
  slug, with token, 500 votes: BatchGetItem 4 USER POSTS | Query CATALOGUE | Query VOTES = 10 R
  vote, the third on a post: BatchGetItem 2 USER POSTS ; TransactWriteItems (Update POSTS, Put USER, Put VOTES) ;
    GetItem POSTS = 3 R 6 W
  vote, the 500th on a post: BatchGetItem 2 USER POSTS ; TransactWriteItems (Update POSTS, Put USER, Put VOTES) ;
    GetItem POSTS | Query VOTES = 8 R 6 W
  vote with an Idempotency-Key: BatchGetItem 3 USER POSTS IDEMPOTENCY ; TransactWriteItems (Update POSTS, Put USER,
    Put VOTES, Put IDEMPOTENCY) ; GetItem POSTS | Query VOTES = 9 R 8 W
  vote with an Idempotency-Key, sent again: BatchGetItem 3 USER POSTS IDEMPOTENCY ; BatchGetItem 2 USER POSTS | Query
    VOTES = 10 R
  unvote, 3 votes: BatchGetItem 3 USER POSTS ; TransactWriteItems (Update POSTS, Delete USER, Delete VOTES) ; GetItem
    POSTS = 4 R 6 W
  unvote, 500 votes: BatchGetItem 3 USER POSTS ; TransactWriteItems (Update POSTS, Delete USER, Delete VOTES) ;
    GetItem POSTS | Query VOTES = 9 R 6 W
  unvote of one of the first six, 499 votes: BatchGetItem 3 USER POSTS ; Query VOTES ; TransactWriteItems (Update
    POSTS, Delete USER, Delete VOTES, ConditionCheck VOTES) ; GetItem POSTS | Query VOTES = 10 R 8 W
  unvote without a vote: BatchGetItem 3 USER POSTS ; GetItem POSTS ; GetItem POSTS | Query VOTES = 10 R
  roadmaps: GetItem USER | Query CATALOGUE = 2 R
  roadmap search: GetItem USER | Query CATALOGUE = 2 R
  roadmap by url, with token: GetItem USER | Query CATALOGUE = 2 R
  create post: BatchGetItem 2 USER SITE | Query CATALOGUE ; TransactWriteItems (Put POSTS, Put POSTS, Put USER, Put
    LIST, Put LIST, Update CATALOGUE, Put LIST, Update COUNTS, Update COUNTS, Put EVENTS) = 3 R 20 W
  create post on a named board: BatchGetItem 3 USER CATALOGUE SITE ; TransactWriteItems (Put POSTS, Put POSTS, Put
    USER, Put LIST, Put LIST, Update CATALOGUE, Put LIST, Update COUNTS, Update COUNTS, Put EVENTS) = 3 R 20 W
  create post for another account: BatchGetItem 3 USER SITE | Query CATALOGUE ; TransactWriteItems (Put POSTS, Put
    POSTS, Put USER, Put LIST, Put LIST, Update CATALOGUE, Put LIST, Update COUNTS, Update COUNTS, Put EVENTS, Put
    AUDIT) = 4 R 22 W
  create post with an Idempotency-Key: BatchGetItem 3 USER SITE IDEMPOTENCY | Query CATALOGUE ; TransactWriteItems (Put
    POSTS, Put POSTS, Put USER, Put LIST, Put LIST, Update CATALOGUE, Put LIST, Update COUNTS, Update COUNTS, Put
    EVENTS, Put IDEMPOTENCY) = 4 R 22 W
  create post with an Idempotency-Key, sent again: BatchGetItem 3 USER SITE IDEMPOTENCY | Query CATALOGUE = 4 R
  delete post: BatchGetItem 3 USER POSTS ; TransactWriteItems (Delete POSTS, Delete POSTS, Delete USER, Put DELETED,
    Delete LIST, Delete LIST, Update CATALOGUE, Delete LIST, Update COUNTS, Update COUNTS, Put EVENTS) = 3 R 22 W
  delete post on a board and a roadmap: BatchGetItem 3 USER POSTS ; TransactWriteItems (Delete POSTS, Delete POSTS,
    Delete USER, Put DELETED, Delete LIST, Delete LIST, Update CATALOGUE, Delete LIST, ConditionCheck CATALOGUE, Delete
    LIST, Update COUNTS, Update COUNTS, Update COUNTS, Put EVENTS) = 3 R 28 W
  boards: GetItem USER | Query CATALOGUE = 2 R
`);

/**
 * The plans of the other endpoints' examples, which `npm run docs` writes: read what changes there. A call of a new
 * kind needs its reason below. votes-assign and votes-unassign answer no voters, unlike POST and DELETE /votes.
 * posts-search asks for the last word with those that begin with it, and for each word if that is not enough.
 */
export const EXAMPLE_PLANS_FILE = join(import.meta.dirname, "example-plans.txt");

export const examplePlans = plansIn(readFileSync(EXAMPLE_PLANS_FILE, "utf8"));

/** Why a plan reads or writes items of a family. `Get` is GetItem or BatchGetItem. */
export const reasons = plansIn(`
  Get ACTIVITY: the comment, or the one that a reply answers
  Get API_KEYS: the key to end, or the name of one in the audit log
  Get BOARD_URL: whether a board has the url
  Get CATALOGUE: the board or the list of statuses that a request names; whether the kept catalogue is current
  Get CREDENTIALS: the hash of the password
  Get EMAIL: whose address it is
  Get FIGURES: the short lists beside the figures
  Get HELD: what waits for the team, to decide it or to show its author; the reports to which another one is added
  Get IDEMPOTENCY: whether this request was carried out before
  Get IDENTITY: the account that an identity signs in to
  Get MAIL_TOKEN: whose letter it is from, and until when it counts
  Get MERGED: a post that was merged, where a post is missing
  Get PEOPLE: whether an account that is asked for is in the group
  Get POSTS: a post and its voters; after a vote, the voters for the answer
  Get PROVIDERS: the provider to sign in by, to test or to change
  Get PROVIDER_SECRETS: the secret that proves the site to the provider
  Get SITE: whether it is set up, its owner and its settings
  Get SSO_SECRET: what signs the tokens of the product
  Get SUBSCRIPTIONS: whether the caller follows the post, or left it
  Get TWO_FACTOR: what codes are compared with
  Get UNSUBSCRIBE: the secret that signed the link
  Get USER: the account of a token, which may be suspended or signed out; the caller's votes on posts of no common day
  Get WEBHOOKS: the webhook to change, or to use
  Query ACTIVITY: a comment with its row; a page of comments, their rows before it, and changes of status
  Query API_KEYS: the keys to list, or to end with a session
  Query AUDIT: records of the audit log, the newest first
  Query CATALOGUE: the boards, roadmaps and statuses that posts name by their ids
  Query COUNTS: how many posts lie before a page, or have a status
  Query DELIVERIES: the waiting deliveries, and the ended ones
  Query FIGURES: the figures of the months that are asked for
  Query HELD: a page of what waits for the team
  Query EVENTS: the events to answer, or to send again
  Query IMPORTS: the imports to list, with their reports
  Query KEY_USES: the day of each key's last use
  Query LIST: the ids of a page
  Query MERGED: what was merged into a post
  Query NOTES: the notes among the comments of a page, and their rows
  Query POSTS: a page of posts that lie side by side, with their voters; a pinned post with its voters
  Query PROVIDERS: the providers to list, or of which linked sign-ins have the names
  Query TOP: the ids of a page by votes
  Query TRENDING: the ids of a page by trending time
  Query USER: the caller's votes on a page of posts that lie side by side; the posts and votes of a listed account
  Query USERS: a page of accounts
  Query USER_COUNT: the number of accounts
  Query VOTES: the votes after the first six, one of which gets a free seat
  Query WEBHOOKS: the webhooks to list
  Query WORDS: the posts that have a word in their title
  ConditionCheck ACTIVITY: the reported comment still exists
  ConditionCheck CATALOGUE: the board, roadmap, status or tag still exists, so no row is left in a list that is gone
  ConditionCheck POSTS: the post still exists
  ConditionCheck VOTES: the vote that gets a free seat still exists
  Delete ACTIVITY: the comment and its row
  Delete API_KEYS: the key
  Delete BOARD_URL: others may take the url
  Delete CATALOGUE: the board, roadmap or tag
  Delete CREDENTIALS: a deleted account has no password
  Delete HELD: what was decided waits no more, and a deleted comment has no reports
  Delete EMAIL: the address is free for others
  Delete IDENTITY: an identity signs in to the account no more
  Delete LIST: the post's row in a list
  Delete MAIL_TOKEN: a letter counts once
  Delete MERGED: a post that was taken out of a merge is none of the merged ones
  Delete PEOPLE: the account is found by its former name or address no more, or has left a group
  Delete POSTS: the post and its voters
  Delete ROADMAP_URL: others may take the url
  Delete PROVIDERS: the provider
  Delete PROVIDER_SECRETS: its secret
  Delete SIGN_IN_CODE: a code that was mailed to a deleted account is worth nothing
  Delete SITE: the account in the list of those whom new posts are mailed
  Delete SSO_SECRET: what signed the tokens of the product
  Delete TAG_NAME: others may take the name
  Delete TWO_FACTOR: the second factor; the secret that waited for its first code
  Delete UNSUBSCRIBE: links in mails to a deleted account end nothing
  Delete USER: the account; the user's vote, or the entry of a post or comment
  Delete USERNAME: the name is free for others
  Delete USERS: the account's row in the list of accounts
  Delete VOTES: the vote
  Delete WEBHOOKS: the webhook
  Delete WEBHOOK_SECRETS: its secrets
  Put ACTIVITY: the comment and its row; a change of status among the comments
  Put API_KEYS: the key's hash
  Put AUDIT: what the team changed, which the owner reads
  Put BOARD_URL: no other board may take the url
  Put CATALOGUE: the board, roadmap or tag; the order of roadmaps or the list of statuses, whole; the stamp
  Put CREDENTIALS: the hash of the password, apart from the account: only login may read it
  Put DELETED: what the deletion has to sweep
  Put DELIVERIES: the event waits for the webhook again
  Put EMAIL: no other account may have the address
  Put ERASED: the deletion can be repeated after a restore
  Put ERASURES: what the account wrote has to lose its name
  Put EVENTS: an event exists exactly if its change does, and is to be announced
  Put EXPORTS: the job that writes the export
  Put IDENTITY: it signs in to this account and no other
  Put HELD: the reports of a post or comment
  Put IDEMPOTENCY: a repeated request gets the same answer
  Put LIST: the post's row in a list
  Put MERGED: a merged post under another key, so that no list finds it; what leads to it from the other post
  Put MERGES: what the post has must be moved
  Put NEWS: the team has to be told of what came into its queue
  Put OUTBOX: a letter leaves exactly if its change happened
  Put PEOPLE: the account is found by its name, its address and its group
  Put POSTS: the post and its voters
  Put PROVIDERS: the provider
  Put PROVIDER_SECRETS: its secret, apart: only the functions that sign in may read it
  Put RENAMES: the new name or role has to be written into posts and votes
  Put ROADMAP_URL: no other roadmap may take the url
  Put SITE: a site is set up once; the last export; the account in the list of those whom new posts are mailed
  Put SSO_USES: a token counts once
  Put SUBSCRIPTIONS: the caller follows the post, or left it
  Put TAG_NAME: no other tag may take the name
  Put TWO_FACTOR: the secret of an app that waits for its first code
  Put USER: the account; the user's vote, once for a post; the entry by which a user's posts and comments are found
  Put USERNAME: no other account may have the name
  Put USERS: the account's row in the list of accounts
  Put VOTES: the vote, in the order of voting
  Put WEBHOOKS: the webhook
  Put WEBHOOK_SECRETS: its secret, apart: only deliver may read it
  Update ACTIVITY: the changed text
  Update CATALOGUE: the board's number of posts, the number of tags, or the changed fields
  Update COUNTS: the number of posts of the day in a list
  Update CREDENTIALS: all sessions end; a new password
  Update POSTS: the number of votes with the first six, or of comments; the changed fields
  Update PROVIDERS: the changed fields, what a test has found, or the number of providers
  Update SITE: the changed settings
  Update SSO_SECRET: the new secret, and the one before it, apart: only the functions that sign in may read it
  Update TWO_FACTOR: a code counts once
  Update USER: the changed fields, or the number of its keys
  Update USER_COUNT: the number of accounts, which the owner sees
  Update WEBHOOKS: the changed fields, or the number of webhooks
  Update WEBHOOK_SECRETS: the new secret, and the one before it
`);
