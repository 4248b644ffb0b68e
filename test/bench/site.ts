import type { Request, Tree } from "./tree.ts";

// The site that is measured: 40 posts with a text of 700 bytes and twenty votes each, half of them on one board, 24
// boards and roadmaps. Every version is asked for it in the same words.

const POSTS = 40;
const BOARDS = 18;
const ROADMAPS = 6;
const VOTERS = 20;
/** Accounts that have not voted: one for each sample of votes. */
export const GUESTS = 6;

const TEXT = "People who work at night say that the page is too bright for them. ".repeat(10);
const SUBJECTS = ["Dark mode", "Export to a file", "Shorter mails", "A map of all places", "Keyboard shortcuts"];

type Person = { token: string };
export type Post = { postId: string; slug: string };

export type Site = {
  owner: Person;
  member: Person;
  guests: Person[];
  posts: Post[];
  boardId: string;
  /** The ids of posts that a sample created and none deleted. */
  created: string[];
};

/** Sends a request that must succeed, and reads its answer. */
export async function ask<Answer>(tree: Tree, request: Request): Promise<Answer> {
  const { status, text } = await tree.send(request);
  if (status >= 400) throw new Error(`${request.method ?? "POST"} ${request.path}: ${status} ${text}`);
  return text === "" ? (undefined as Answer) : JSON.parse(text);
}

export async function buildSite(tree: Tree): Promise<Site> {
  const signUp = async (path: string, name: string): Promise<Person> => {
    const body = { email: `${name}@example.com`, password: "a password of some length", name };
    const { user } = await ask<{ user: { authToken: string } }>(tree, { path, body });
    return { token: user.authToken };
  };
  const owner = await signUp("/auth/setup", "owner");
  const boards = [];
  for (let n = 0; n < BOARDS; n++) {
    const request = { path: "/boards", token: owner.token, body: { name: `Board ${n}` } };
    boards.push(await ask<{ board: { boardId: string } }>(tree, request));
  }
  for (let n = 0; n < ROADMAPS; n++) {
    await ask(tree, { path: "/roadmaps", token: owner.token, body: { name: `Roadmap ${n}` } });
  }
  const boardIds = boards.map(({ board }) => board.boardId);
  const people: Person[] = [];
  for (let n = 0; n < VOTERS + GUESTS; n++) people.push(await signUp("/auth/signup", `member${n}`));
  const voters = people.slice(0, VOTERS);
  const member = voters[0] as Person;
  const posts: Post[] = [];
  for (let n = 0; n < POSTS; n++) {
    const title = `${SUBJECTS[n % SUBJECTS.length]} for people ${n}`;
    const body = { title, contentMarkdown: TEXT, boardId: boardIds[n % 2 === 0 ? 0 : n % BOARDS] };
    const { post } = await ask<{ post: Post }>(tree, { path: "/posts", token: member.token, body });
    posts.push(post);
    for (const { token } of voters) await ask(tree, { path: "/votes", token, body: { postId: post.postId } });
  }
  return { owner, member, guests: people.slice(VOTERS), posts, boardId: boardIds[0] as string, created: [] };
}
