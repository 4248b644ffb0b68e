import { useLocation } from "preact-iso/router";
import { answer, type Schemas, token } from "./api.ts";
import { useRead } from "./data.ts";

// What most pages need: the site, its boards, roadmaps and statuses, and what the caller may do.

export function useSite(): Schemas["SiteSettings"] {
  const { data } = useRead("site", async (api) => (await answer(api.GET("/settings/site"))).settings);
  return data ?? NEUTRAL;
}

export const NEUTRAL = {
  title: "Feedback",
  logo: null,
  accentColor: "484d7c",
  allowSignup: true,
} as Schemas["SiteSettings"];

/** The address of a page for signing in, which then leads back to this page, or to where this one leads. */
export function useSignInUrl(page = "/sign-in"): string {
  const { path, url, query } = useLocation();
  // The token of a mail must not enter another address.
  const here = path.startsWith("/password-reset") || path === "/email-verify" ? "/" : url;
  return `${page}?next=${encodeURIComponent(path.startsWith("/sign-") ? (query.next ?? "/") : here)}`;
}

export function useBoards() {
  const params = { query: { limit: 100, created: "asc" } } as const;
  return useRead("boards", async (api) => {
    const { boards } = await answer(api.GET("/boards/get", { params }));
    return boards.map((board) => ({ ...board, id: board.boardId }));
  });
}

export function useRoadmaps() {
  return useRead("roadmaps", async (api) => (await answer(api.GET("/roadmaps/get"))).roadmaps);
}

/** The statuses, with the tag of their list. */
export function useStatuses() {
  return useRead("statuses", async (api) => {
    const result = api.GET("/statuses");
    const { statuses } = await answer(result);
    return { statuses, tag: (await result).response.headers.get("etag") ?? "*" };
  });
}

export const NOBODY: string[] = [];

/** Whether the site has an owner. */
export function useSetUp() {
  return useRead("setup", async (api) => (await answer(api.GET("/auth/setup"))).is_setup);
}

/** What the caller may do; nothing while that is not known. */
export function usePermissions(): string[] {
  const { data } = useRead("permissions", async (api) =>
    token.value ? (await answer(api.GET("/users/permissions"))).permissions : NOBODY,
  );
  return (token.value && data) || NOBODY;
}

/** Tells whether the caller may do something. */
export function useCan(): (permission: string) => boolean {
  const permissions = usePermissions();
  return (permission) => permissions.includes(permission);
}

/** The account that is signed in. */
export function useProfile() {
  return useRead("profile", async (api) => (token.value ? (await answer(api.GET("/users/profile"))).user : undefined));
}
