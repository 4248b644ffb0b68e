import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { loadFile } from "./load-file.ts";
import { attempt } from "./notices.ts";
import { useCan } from "./site.ts";

type Tools = typeof import("./parts/team-tools.ts");

const tools = signal<Tools | undefined>(undefined);

async function load(): Promise<void> {
  tools.value ??= await loadFile(() => import("./parts/team-tools.ts"));
}

/** What only the team sees of a post; undefined for others, and until it is loaded. */
export function useTeamTools(): Tools | undefined {
  const isOfTeam = useCan()("post:moderate");
  useEffect(() => {
    if (isOfTeam) void attempt(load());
  }, [isOfTeam]);
  return isOfTeam ? tools.value : undefined;
}
