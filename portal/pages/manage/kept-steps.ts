import { answer, api, type Schemas } from "../../api.ts";
import { change } from "../../data.ts";
import { NEUTRAL, site, useSite } from "../../site.ts";

type Step = Schemas["SiteSettings"]["firstSteps"][number];

/** Keeps at the site, for every browser of its owner, that one of the first steps is done, or their list hidden. */
export function useKeepStep(): (step: Step) => Promise<void> {
  const now = useSite();
  return async (step) => {
    if (now === NEUTRAL || now.firstSteps.includes(step)) return;
    const body = { firstSteps: [...now.firstSteps, step] };
    const { settings } = await answer(api.PATCH("/settings/site", { body }));
    change(site, () => settings);
  };
}

/** Keeps a step that is done by the way: nobody waits, and one that is lost is kept another time. */
export function useNotedStep(step: Step): () => void {
  const keepStep = useKeepStep();
  return () => {
    keepStep(step).catch(() => {});
  };
}
