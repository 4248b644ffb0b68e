import { defineGroup } from "../../lib/group.ts";
import { handler as update } from "../settings/update.ts";
import { handler as updateLabs } from "../settings/update-labs.ts";
import { handler as statuses } from "../statuses/replace.ts";

/** Changes of the site's settings and statuses. */
export const handler = defineGroup("settings-write", [update, updateLabs, statuses]);
