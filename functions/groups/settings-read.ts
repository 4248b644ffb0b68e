import { defineGroup } from "../../lib/group.ts";
import { handler as setupStatus } from "../auth/setup-status.ts";
import { handler as labs } from "../settings/labs.ts";
import { handler as site } from "../settings/site.ts";
import { handler as statuses } from "../statuses/list.ts";

/** What everybody may know of the site. */
export const handler = defineGroup("settings-read", [site, labs, setupStatus, statuses]);
