import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { attempt } from "../deeds.ts";
import { loadFile } from "../load-file.ts";
import { useCan } from "../site.ts";
import { isKeptForTeam } from "../team-place.ts";

type Tools = typeof import("../pages/manage.tsx");

const tools = signal<Tools | undefined>(undefined);

export async function loadTeamTools(): Promise<Tools> {
  tools.value ??= await loadFile(() => import("../pages/manage.tsx"));
  return tools.value;
}

/** What only the team sees of a post, from the team's file; undefined for others, and until it is loaded. */
export function useTeamTools(): Tools | undefined {
  const isOfTeam = useCan()("post:moderate");
  useEffect(() => {
    // Who was of the team still is, as a rule.
    if (isOfTeam || isKeptForTeam()) void attempt(loadTeamTools());
  }, [isOfTeam]);
  return isOfTeam ? tools.value : undefined;
}
