import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Failure } from "../api.ts";
import { attempt } from "../deeds.ts";
import { loadFile } from "../load-file.ts";
import { useCan } from "../site.ts";
import { isKeptForTeam, keepTeam } from "../team-place.ts";

type Tools = typeof import("../pages/manage.tsx");

/** null: they could not be loaded. */
const tools = signal<Tools | null | undefined>(undefined);

export async function loadTeamTools(): Promise<Tools> {
  tools.value ??= await loadFile(() => import("../pages/manage.tsx"));
  return tools.value;
}

/** The page does without them: it keeps no place for them, and waits for them no more. */
function giveUp(failure: Failure): never {
  tools.value = null;
  keepTeam(false);
  throw failure;
}

/**
 * What only the team sees of a post, from the team's file; undefined for others, and until it is loaded; null if that
 * failed.
 */
export function useTeamTools(): Tools | null | undefined {
  const isOfTeam = useCan()("post:moderate");
  useEffect(() => {
    // Who was of the team still is, as a rule.
    if (isOfTeam || isKeptForTeam()) void attempt(loadTeamTools().catch(giveUp));
  }, [isOfTeam]);
  return isOfTeam ? tools.value : undefined;
}
