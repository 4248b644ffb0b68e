import { defineGroup } from "../../lib/group.ts";
import { handler as update } from "../settings/update.ts";
import { handler as updateLabs } from "../settings/update-labs.ts";

/** Changes of the site's settings. */
export const handler = defineGroup("settings-write", [update, updateLabs]);
