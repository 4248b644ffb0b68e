import * as z from "zod/mini";
import { statusKinds as statusIds } from "../../../lib/values/statuses.ts";
import json from "./demo-set.json" with { type: "json" };

// The demo set: a product (notes and tasks for teams, called Tidemark) and what its users would like to see. A `day` counts from
// the setup of the site.

const text = z.string().check(z.minLength(1));
const day = z.number().check(z.minimum(0));
const person = z.strictObject({ name: text, day });
const lines = z.array(z.string());
const color = z.string().check(z.regex(/^[0-9a-f]{6}$/));

const demoSet = z
  .strictObject({
    /** The day on which the demo set is loaded. */
    lastDay: z.int(),
    /** The password of every account. */
    password: text,
    /** The accounts to sign in as, by role. */
    accounts: z.strictObject({ owner: person, moderator: person, member: person, suspended: person }),
    /** Members who write posts, by key. */
    writers: z.record(text, person),
    /** Members who only vote: one for each pair of a last name and a first name. */
    voters: z.strictObject({ firstNames: z.array(text), lastNames: z.array(text) }),
    boards: z.array(z.strictObject({ url: text, name: text, color, day })),
    roadmaps: z.array(z.strictObject({ url: text, name: text, color, display: z.boolean(), day })),
    /** Oldest first. */
    posts: z.array(
      z.strictObject({
        /** Gives the post its id, together with `day`; stays when the title is changed. */
        key: text,
        title: text,
        /** The url of a board, and of a roadmap. */
        board: text,
        roadmap: z.optional(text),
        /** A key of `writers`, `member` or `moderator`. */
        author: text,
        day,
        votes: z.int().check(z.minimum(0)),
        /** The member's vote is the last one. */
        memberVotes: z.optional(z.literal(true)),
        /** Most votes come late: the post is trending. */
        rising: z.optional(z.literal(true)),
        /** The id of a status; open without one. */
        status: z.optional(z.enum(statusIds)),
        /** Markdown, line by line. */
        content: z.optional(lines),
        /** What the team says officially, with that status. */
        response: z.optional(z.strictObject({ day, text: lines })),
        /** Oldest first. */
        comments: z.optional(
          z.array(
            z.strictObject({
              /** Gives the comment its id, together with `day`. */
              key: text,
              /** A key of `writers`, `member` or `moderator`. */
              author: text,
              day,
              /** The key of an earlier comment on the post. */
              answers: z.optional(text),
              /** A note, for moderators and the owner. */
              internal: z.optional(z.literal(true)),
              text: lines,
            }),
          ),
        ),
      }),
    ),
  })
  .check(({ value, issues }) => {
    const { boards, roadmaps, writers, voters, posts, lastDay } = value;
    const boardUrls = new Set(boards.map(({ url }) => url));
    const roadmapUrls = new Set(roadmaps.map(({ url }) => url));
    const authors = new Set(["member", "moderator", ...Object.keys(writers)]);
    const keys = new Set<string>();
    const voterCount = voters.firstNames.length * voters.lastNames.length;
    for (const [index, post] of posts.entries()) {
      const refuse = (field: keyof typeof post, message: string): void => {
        issues.push({ code: "custom", input: post[field], path: ["posts", index, field], message });
      };
      if (!boardUrls.has(post.board)) refuse("board", `no board has the url "${post.board}"`);
      if (post.roadmap && !roadmapUrls.has(post.roadmap)) refuse("roadmap", `no roadmap has the url "${post.roadmap}"`);
      if (!authors.has(post.author)) refuse("author", `"${post.author}" is not a key of writers, member or moderator`);
      if (keys.has(post.key)) refuse("key", `another post has the key "${post.key}"`);
      if (post.votes - (post.memberVotes ? 1 : 0) > voterCount) refuse("votes", `there are only ${voterCount} voters`);
      if (post.day > lastDay) refuse("day", `the demo ends on day ${lastDay}`);
      const { comments = [] } = post;
      for (const [at, { key, author, day, answers }] of comments.entries()) {
        const earlier = new Set(comments.slice(0, at).map((comment) => comment.key));
        if (!authors.has(author)) refuse("comments", `"${author}" is not a key of writers, member or moderator`);
        if (earlier.has(key)) refuse("comments", `another comment has the key "${key}"`);
        if (answers !== undefined && !earlier.has(answers))
          refuse("comments", `no comment before has the key "${answers}"`);
        if (day < post.day || day > lastDay)
          refuse("comments", `the comment "${key}" is not between the post and day ${lastDay}`);
      }
      keys.add(post.key);
    }
  });

/** Checks a demo set; throws an error that names each wrong value and its place. */
export function demoSetOf(value: unknown): z.infer<typeof demoSet> {
  const { data, error } = demoSet.safeParse(value);
  if (error) throw new Error(`infra/local/demo/demo-set.json:\n${z.prettifyError(error)}`);
  return data;
}

const set = demoSetOf(json);

/** An account of the demo set; `day` is when it signs up. */
export type DemoPerson = {
  email: string;
  name: string;
  role: "owner" | "moderator" | "member" | "suspended";
  day: number;
};

function withEmail(key: string, role: DemoPerson["role"], { name, day }: z.infer<typeof person>): DemoPerson {
  return {
    email: `${key}@demo.example`,
    name,
    role,
    day,
  };
}

export const { lastDay, password, boards, roadmaps } = set;

export const owner = withEmail("owner", "owner", set.accounts.owner);
export const moderator = withEmail("moderator", "moderator", set.accounts.moderator);
/** The member that tours and tests sign in as. */
export const member = withEmail("member", "member", set.accounts.member);
export const suspended = withEmail("suspended", "suspended", set.accounts.suspended);

/** The accounts to sign in as, one of each role. */
export const accounts: DemoPerson[] = [owner, moderator, member, suspended];

/** Members who write posts, by key. */
export const writers: Record<string, DemoPerson> = Object.fromEntries(
  Object.entries(set.writers).map(([key, writer]) => [key, withEmail(key, "member", writer)]),
);

/** Members who only vote. They sign up one after the other, from day 1 on. */
export const voters: DemoPerson[] = set.voters.lastNames
  .flatMap((last) => set.voters.firstNames.map((first) => `${first} ${last}`))
  .map((name, index) => withEmail(`voter${index + 1}`, "member", { name, day: 1 + index * 0.03 }));

/** A post of the demo set. */
export type DemoPost = z.infer<typeof demoSet>["posts"][number];

/** A comment of the demo set. */
export type DemoComment = NonNullable<DemoPost["comments"]>[number];

/** All posts, oldest first. */
export const posts: DemoPost[] = set.posts;
