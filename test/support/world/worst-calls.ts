/** The most units that one call takes, without its background work. */
type Worst = { reads: number; writes: number };

const USUAL: Worst = { reads: 12, writes: 26 };

// A page of fifty posts with texts of 60 KB and responses of 15 KB; comments of 15 KB, notes among them; search as
// test/cost/dear-reads.test.ts measures it.
const worst: Record<string, Partial<Worst>> = {
  "auth-setup-status": { reads: 1 },
  "comments-create": { writes: 60 },
  "comments-list": { reads: 40 },
  "comments-update": { writes: 90 },
  "events-list": { reads: 60 },
  "posts-by-slug": { reads: 40 },
  "posts-create": { writes: 140 },
  "posts-delete": { reads: 24, writes: 150 },
  "posts-list": { reads: 1020 },
  "posts-search": { reads: 40 },
  "posts-set-status": { reads: 40, writes: 150 },
  "posts-similar": { reads: 30 },
  "posts-update": { reads: 40, writes: 150 },
  "settings-labs": { reads: 1 },
  "settings-site": { reads: 1 },
  "statuses-list": { reads: 1 },
  "users-list": { reads: 40 },
};

/** The most units that one call of an endpoint takes; the cost tests compare what they measure with it. */
export function worstOf(name: string): Worst {
  return { ...USUAL, ...worst[name] };
}
