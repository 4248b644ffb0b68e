/** The most units that one call takes, without its background work. */
export type Worst = { reads: number; writes: number };

const USUAL: Worst = { reads: 12, writes: 26 };

// Texts of 60 KB, fifty of them in a page; comments of 15 KB; words of a title in the background.
const worst: Record<string, Partial<Worst>> = {
  "auth-setup-status": { reads: 1 },
  "comments-create": { writes: 60 },
  "comments-list": { reads: 200 },
  "comments-update": { writes: 90 },
  "posts-by-slug": { reads: 40 },
  "posts-create": { writes: 140 },
  "posts-delete": { reads: 24, writes: 150 },
  "posts-list": { reads: 900 },
  "posts-search": { reads: 900 },
  "posts-set-status": { reads: 40, writes: 150 },
  "posts-similar": { reads: 220 },
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
