import { defineGroup } from "../../lib/group.ts";
import { handler as update } from "../settings/update.ts";

/** Changes of the site's settings. */
export const handler = defineGroup("settings-write", [update]);
