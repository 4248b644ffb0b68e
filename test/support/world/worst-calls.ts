/** The most units that one call takes on a site of few boards and roadmaps, without its background work. */
type Worst = { reads: number; writes: number };

const USUAL: Worst = { reads: 12, writes: 26 };

// A page of fifty posts of 20 boards with texts of 20 KB, responses of 15 KB and the caller's votes; comments of 15 KB,
// notes among them; search as test/cost/dear-reads.test.ts measures it.
const worst: Record<string, Partial<Worst>> = {
  // Fifty records of posts with texts of 20 KB and responses of 15 KB.
  "audit-list": { reads: 640 },
  "auth-set-up": { writes: 30 },
  // With the longest list of blocked domains.
  "auth-sign-up": { writes: 28 },
  "auth-oidc": { writes: 28 },
  "auth-sso": { writes: 28 },
  "auth-log-out": { reads: 2, writes: 4 },
  // It ends twenty API keys.
  "auth-magic-verify": { writes: 50 },
  "auth-providers": { reads: 2 },
  "auth-setup-status": { reads: 1 },
  "comments-create": { writes: 60 },
  "comments-list": { reads: 40 },
  "comments-update": { writes: 90 },
  "events-list": { reads: 60 },
  "keys-delete": { reads: 4, writes: 6 },
  "posts-by-id": { reads: 40 },
  "posts-by-slug": { reads: 40 },
  "posts-create": { writes: 140 },
  "posts-delete": { reads: 24, writes: 150 },
  "posts-list": { reads: 650 },
  "posts-search": { reads: 40 },
  "posts-set-status": { reads: 40, writes: 150 },
  // Ten tags in place of ten others.
  "posts-set-tags": { reads: 40, writes: 260 },
  "posts-similar": { reads: 30 },
  "posts-status-changes": { reads: 240 },
  "posts-update": { reads: 40, writes: 150 },
  // One decision: a call counts as many (`expectedWrites`).
  "moderation-decide": { reads: 40, writes: 128 },
  // Twenty reported comments of 15 KB, each on another merged post.
  "moderation-list": { reads: 640 },
  "posts-merge": { reads: 60, writes: 220 },
  "posts-unmerge": { reads: 50, writes: 220 },
  "posts-merged": { reads: 370 },
  "posts-waiting": { reads: 350 },
  "providers-delete": { reads: 4, writes: 8 },
  "settings-labs": { reads: 1 },
  // All sixteen counters of accounts with 200 blocked domains, and the site with these and 200 long words.
  "settings-update": { writes: 180 },
  "settings-update-labs": { writes: 72 },
  "settings-update-moderation": { writes: 180 },
  "settings-site": { reads: 2 },
  "sso-delete": { reads: 2, writes: 6 },
  "statuses-list": { reads: 1 },
  // They end twenty API keys and five linked sign-ins.
  "users-delete": { writes: 90 },
  "users-delete-profile": { writes: 90 },
  // Twenty comments of 15 KB, each on another merged post.
  "users-held": { reads: 520 },
  // A page of a hundred, or fifty that are found and in a group.
  "users-list": { reads: 110 },
  "users-unlink": { reads: 4, writes: 4 },
  "users-unsubscribe": { reads: 2, writes: 6 },
  // Fifty posts of one person, or with one person's vote.
  "users-posts": { reads: 650 },
  "users-posts-of": { reads: 650 },
  "users-votes": { reads: 650 },
  // The same, and a choice about each.
  "users-follows": { reads: 710 },
  // It hands the site over, and ends twenty API keys of both.
  "users-update": { writes: 98 },
  "webhooks-delete": { reads: 4, writes: 8 },
  "webhooks-replay": { reads: 60, writes: 112 },
};

/** A post's longest text: 20,000 bytes. */
export const LONGEST_TEXT = "€".repeat(20_000 / 3).padEnd(6668, "x");

/** What 250 boards and 250 roadmaps with the longest names and urls add to a read of the catalogue. */
export const FULL_CATALOGUE = 57;

/** The most units that one call of an endpoint takes; the cost tests compare what they measure with it. */
export function worstOf(name: string): Worst {
  return { ...USUAL, ...worst[name] };
}
