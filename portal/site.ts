import { useLocation } from "preact-iso/router";
import { type Api, answer, api, type Failure, isSuspendedBy, type Schemas, tagOf } from "./api.ts";
import { change, define, useRead } from "./data.ts";
import { announce } from "./notices.ts";
import { nextOf, type Page } from "./paging.ts";
import { door, token } from "./session.ts";
import { keepTeam } from "./team-place.ts";
import { t } from "./text.ts";

// What most pages need: the site, its boards, roadmaps, statuses and tags, and what the caller may do.

export const site = define("site", async (api) => (await answer(api.GET("/settings/site"))).settings);

export function useSite(): Schemas["SiteSettings"] {
  return useRead(site()).data ?? NEUTRAL;
}

/** Stands in for a site that cannot be read: what is left out is absent, or off. */
export const NEUTRAL = {
  title: "Feedback",
  accentColor: "484d7c",
  allowSignup: true,
  signupDomains: [] as string[],
  password: true,
  magic: true,
  sendsMail: true,
  firstSteps: [] as string[],
} as Schemas["SiteSettings"];

/** The page to sign in: by the way that this browser took last, or `first`; by a mail only where that is possible. */
export function useSignInPage(first = "/sign-in"): string {
  const { sendsMail, magic } = useSite();
  const page = door.value ?? first;
  return sendsMail && magic ? page : "/sign-in";
}

/** The address of a page for signing in, which then leads back to this page, or to where this one leads. */
export function useSignInUrl(page: string): string {
  const { path, url, query } = useLocation();
  // The token of a mail must not enter another address.
  const isOnTheWay = /^\/(sign-|password-|email-)/.test(path);
  return `${page}?next=${encodeURIComponent(isOnTheWay ? (query.next ?? "/") : url)}`;
}

/** A board in the list that everybody sees. */
export type Board = Schemas["BoardDetail"] & { id: string };

function boardOf(board: Schemas["BoardDetail"]): Board {
  return { ...board, id: board.boardId };
}

async function pageOfBoards(api: Api, after?: string): Promise<{ boards: Board[] } & Page> {
  const query = { first: 100, sort: "position", ...(after && { after }) } as const;
  const { boards, page_info } = await answer(api.GET("/boards/get", { params: { query } }));
  return { boards: boards.map(boardOf), ...nextOf(page_info) };
}

/** The first hundred boards in the owner's order, for the way around. A choice that must be whole takes all of them. */
export const boards = define("boards", async (api) => (await pageOfBoards(api)).boards);
export const useBoards = () => useRead(boards());

/** Every board in the owner's order, page by page. */
export const allBoards = define("all boards", async (api) => {
  const all: Board[] = [];
  for (let after: string | undefined; ; ) {
    const page = await pageOfBoards(api, after);
    all.push(...page.boards);
    after = page.after;
    if (after === undefined) return all;
  }
});

export function useAllBoards() {
  const { again, ...read } = useRead(allBoards());
  const readAgain = () => {
    // The first ones among them may be others now.
    change(boards, () => undefined);
    return again();
  };
  return { ...read, again: readAgain };
}

/** A board by its url, or by its id as older addresses have it, however many others there are; null if it is gone. */
export const namedBoard = define("board", async (api, url?: string, id?: string): Promise<Board | null> => {
  if (!url) return (await allBoards().load(api)).find((each) => each.id === id) ?? null;
  const reading = answer(api.GET("/boards/{url}", { params: { path: { url } } }));
  return reading.then(
    ({ board }) => boardOf(board),
    (failure: Failure) => {
      if (failure.status === 404) return null;
      throw failure;
    },
  );
});

const roadmaps = define("roadmaps", async (api) => (await answer(api.GET("/roadmaps/get"))).roadmaps);
export const useRoadmaps = () => useRead(roadmaps());

/** The statuses, with the tag of their list. */
const statuses = define(
  "statuses",
  async (api) => {
    const call = api.GET("/statuses");
    const { statuses } = await answer(call);
    return { statuses, tag: await tagOf(call) };
  },
  true,
);
export const useStatuses = () => useRead(statuses());

const tags = define("tags", async (api) => (await answer(api.GET("/tags"))).tags, true);
export const useTags = () => useRead(tags());

/** Whether the site has an owner. */
export const setUp = define("setup", async (api) => (await answer(api.GET("/auth/setup"))).is_setup);
export const useSetUp = () => useRead(setUp());

const NOTHING = { permissions: [] as string[], scopes: [] as string[] };

/** Null for a visitor, which is what is known first of a person who is signed in. */
const rights = define("rights", async (api) => {
  const asked = token.value;
  const read = asked ? await answer(api.GET("/users/permissions")) : null;
  // A late answer to a session that has ended says nothing of who reads now.
  if (token.value === asked) keepTeam(read?.permissions.includes("post:moderate") ?? false);
  return read;
});

/** How reading what the caller may do went. */
export const useReadOfRights = () => useRead(rights());

/** What the caller may do, and what a key of the caller may do; undefined while that is not known. */
export function useRights(): typeof NOTHING | undefined {
  const { data } = useReadOfRights();
  return token.value ? (data ?? undefined) : NOTHING;
}

/** Tells whether the caller may do something. */
export function useCan(): (permission: string) => boolean {
  const permissions = useRights()?.permissions ?? [];
  return (permission) => permissions.includes(permission);
}

/** Whether the account that is signed in may write nothing. */
export function useIsSuspended(): boolean {
  const rights = useRights();
  return token.value !== undefined && rights !== undefined && isSuspendedBy(rights.permissions);
}

/** Whether the account that is signed in must confirm its address before it posts or votes. */
export function useMustConfirm(): boolean {
  const { requiresVerified } = useSite();
  const { data } = useProfile();
  return requiresVerified && token.value !== undefined && data !== undefined && !data.isVerified;
}

/** The account that is signed in. */
const profile = define("profile", async (api) =>
  token.value ? (await answer(api.GET("/users/profile"))).user : undefined,
);
export const useProfile = () => useRead(profile());

/** Mails the link once more that confirms the address of the account. */
export async function mailConfirmation(email: string): Promise<void> {
  await answer(api.POST("/auth/email/verify"));
  announce(t("linkSent", { email }));
}
