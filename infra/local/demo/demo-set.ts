import type { Language } from "../../../lib/values/languages.ts";
import type { StatusKind } from "../../../lib/values/statuses.ts";
import json from "./demo-set.json" with { type: "json" };

// The demo set: a product (notes and tasks for teams, called Tidemark) and what its users would like to see. A `day`
// counts from the setup of the site.

export type DemoComment = {
  /** Gives the comment its id, together with `day`. */
  key: string;
  /** A key of `writers`, `member` or `moderator`. */
  author: string;
  day: number;
  /** The key of an earlier comment on the post. */
  answers?: string;
  internal?: true;
  text: string[];
  /** Who has reported it to the team, by a key of `writers`. */
  reported?: { by: string; reason: string };
};

export type DemoPost = {
  /** Gives the post its id, together with `day`; stays when the title is changed. */
  key: string;
  title: string;
  board: string;
  roadmap?: string;
  /** Names of tags. */
  tags?: string[];
  /** A key of `writers`, `member` or `moderator`. */
  author: string;
  day: number;
  votes: number;
  /** The member's vote is the last one. */
  memberVotes?: true;
  /** Most votes come late: the post is trending. */
  rising?: true;
  /** The id of a status; open without one. */
  status?: StatusKind;
  content?: string[];
  response?: { day: number; text: string[] };
  /** The day on which the team has pinned the post above the lists. */
  pinned?: number;
  /** The day on which the team has locked the post against new comments. */
  locked?: number;
  /** Oldest first. */
  comments?: DemoComment[];
};

/** A post that the team has merged into another one, by the key of that. Nobody has voted on both. */
export type DemoMergedPost = DemoPost & { into: string };

/** `language`: the one of the mails to the person, if it is not the site's. */
type Person = { name: string; day: number; language?: Language };

type DemoSet = {
  /** The day on which the demo set is loaded. */
  lastDay: number;
  password: string;
  accounts: Record<"owner" | "moderator" | "member" | "suspended", Person>;
  writers: Record<string, Person>;
  /** Members who only vote: one for each pair of a last name and a first name. */
  voters: { firstNames: string[]; lastNames: string[] };
  site: { title: string; description: string };
  /** A post that waits for the team, because of one of the words. */
  held: { author: string; day: number; words: string[]; title: string; content: string };
  boards: { url: string; name: string; description?: string; color: string; day: number }[];
  roadmaps: { url: string; name: string; color: string; display: boolean; day: number }[];
  tags: { name: string; color: string }[];
  /** Oldest first. */
  posts: DemoPost[];
  merged: DemoMergedPost[];
};

const set = json as DemoSet;

/** An account of the demo set; `day` is when it signs up. */
export type DemoPerson = {
  email: string;
  name: string;
  role: "owner" | "moderator" | "member" | "suspended";
  day: number;
  language?: Language;
};

function withEmail(key: string, role: DemoPerson["role"], person: Person): DemoPerson {
  return { email: `${key}@demo.example`, role, ...person };
}

export const { lastDay, password, site, held, boards, roadmaps, tags } = set;

export const owner = withEmail("owner", "owner", set.accounts.owner);
export const moderator = withEmail("moderator", "moderator", set.accounts.moderator);
/** The member that tours and tests sign in as. */
export const member = withEmail("member", "member", set.accounts.member);
export const suspended = withEmail("suspended", "suspended", set.accounts.suspended);

export const accounts: DemoPerson[] = [owner, moderator, member, suspended];

export const writers: Record<string, DemoPerson> = Object.fromEntries(
  Object.entries(set.writers).map(([key, writer]) => [key, withEmail(key, "member", writer)]),
);

/** Members who only vote. They sign up one after the other, from day 1 on. */
export const voters: DemoPerson[] = set.voters.lastNames
  .flatMap((last) => set.voters.firstNames.map((first) => `${first} ${last}`))
  .map((name, index) => withEmail(`voter${index + 1}`, "member", { name, day: 1 + index * 0.03 }));

export const posts: DemoPost[] = set.posts;
export const merged: DemoMergedPost[] = set.merged;

/** The post into which a merged one was merged. */
export function targetOf({ into }: DemoMergedPost): DemoPost {
  const target = posts.find(({ key }) => key === into);
  if (!target) throw new Error(`The demo set has no post ${into}`);
  return target;
}
