import { answer, type Schemas, token } from "./api.ts";
import { useRead } from "./data.ts";

// What most pages need: the site, its boards, roadmaps and statuses, and what the caller may do.

export function useSite(): Schemas["SiteSettings"] {
  const { data } = useRead("site", async (api) => (await answer(api.GET("/settings/site"))).settings);
  return data ?? NEUTRAL;
}

const NEUTRAL = { title: "Feedback", logo: null, accentColor: "484d7c", allowSignup: true } as Schemas["SiteSettings"];

export function useBoards(): Schemas["BoardDetail"][] {
  return useRead("boards", async (api) => (await answer(api.GET("/boards/get"))).boards).data ?? [];
}

export function useRoadmaps() {
  return useRead("roadmaps", async (api) => (await answer(api.GET("/roadmaps/get"))).roadmaps);
}

export function useStatuses(): Schemas["ListedStatus"][] {
  return useRead("statuses", async (api) => (await answer(api.GET("/statuses"))).statuses).data ?? [];
}

/** Whether the caller has a permission; false while that is not known. */
export function can(permission: string): boolean {
  const { data } = useRead("permissions", async (api) =>
    token.value ? (await answer(api.GET("/users/permissions"))).permissions : [],
  );
  return data?.includes(permission) ?? false;
}

/** The account that is signed in. */
export function useProfile(): Schemas["Profile"] | undefined {
  return useRead("profile", async (api) => (token.value ? (await answer(api.GET("/users/profile"))).user : undefined))
    .data;
}
