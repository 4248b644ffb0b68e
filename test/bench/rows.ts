import { GUESTS, type Post, type Site } from "./site.ts";
import type { Request } from "./tree.ts";

/** What is measured, in samples of some requests, one after the other. */
export type Row = {
  name: string;
  /** The requests of a sample. Samples are numbered from 0. */
  requests: (site: Site, sample: number) => Request[];
  /** Whether background work follows, whose time counts as well. */
  isWrite?: boolean;
  /** The row before it, which makes what this one changes. */
  needs?: string;
  /** Takes from an answer what a later row needs. */
  keep?: (site: Site, answer: string) => void;
};

/** The samples of a row: a guest votes in one of them. */
export const SAMPLES = GUESTS;

const REQUESTS = 20;

function repeated(name: string, request: (site: Site) => Request): Row {
  return { name, requests: (site) => Array<Request>(REQUESTS).fill(request(site)) };
}

function onPosts(name: string, request: (post: Post, site: Site, sample: number) => Request): Row {
  const requests = (site: Site, sample: number) =>
    site.posts.slice(0, REQUESTS).map((post) => request(post, site, sample));
  return { name, requests, isWrite: true };
}

function newPost({ member, boardId }: Site, sample: number, n: number): Request {
  const body = { title: `A new idea ${sample} ${n}`, contentMarkdown: "As short as most.", boardId };
  return { path: "/posts", token: member.token, body };
}

export const rows: Row[] = [
  repeated("list, page 1", () => ({ path: "/posts/get", body: {} })),
  repeated("list with a token", ({ member: { token } }) => ({ path: "/posts/get", token, body: {} })),
  repeated("list of a board", ({ boardId }) => ({ path: "/posts/get", body: { boardId: [boardId] } })),
  repeated("list by votes", () => ({ path: "/posts/get", body: { sort: "top" } })),
  repeated("search", () => ({ path: "/posts/search", body: { query: "dark mode" } })),
  repeated("similar posts", () => ({ path: "/posts/similar", body: { title: "A dark mode" } })),
  repeated("one post", ({ posts }) => ({ path: "/posts/slug", body: { slug: posts[0]?.slug } })),
  repeated("boards", ({ member: { token } }) => ({ method: "GET", path: "/boards", token })),
  onPosts("vote", ({ postId }, { guests }, sample) => ({
    path: "/votes",
    token: guests[sample]?.token,
    body: { postId },
  })),
  {
    ...onPosts("unvote", ({ postId }, { guests }, sample) => ({
      method: "DELETE",
      path: "/votes",
      token: guests[sample]?.token,
      body: { postId },
    })),
    needs: "vote",
  },
  {
    name: "new post",
    requests: (site, sample) => Array.from({ length: REQUESTS }, (_, n) => newPost(site, sample, n)),
    isWrite: true,
    keep: ({ created }, answer) => created.push(JSON.parse(answer).post.postId),
  },
  {
    name: "delete a post",
    needs: "new post",
    requests: ({ created, member: { token } }) =>
      created.splice(0, REQUESTS).map((id) => ({ method: "DELETE", path: "/posts", token, body: { id } })),
    isWrite: true,
  },
  onPosts("comment", ({ postId }, { member: { token } }) => ({
    path: `/posts/${postId}/comments`,
    token,
    body: { body: "I can hardly wait." },
  })),
  onPosts("status", ({ postId }, { owner: { token } }, sample) => ({
    method: "PUT",
    path: `/posts/${postId}/status`,
    token,
    body: { status: sample % 2 === 0 ? "planned" : "started" },
  })),
];

/** The rows with some words in their names, and those that they need. */
export function rowsOf(words = ""): Row[] {
  const asked = rows.filter(({ name }) => name.includes(words));
  return rows.filter((row) => asked.includes(row) || asked.some(({ needs }) => needs === row.name));
}
