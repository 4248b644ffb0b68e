import { defineGroup } from "../../lib/group.ts";
import { handler as setStatus } from "../posts/set-status.ts";
import { handler as update } from "../posts/update.ts";
import { handler as assignVote } from "../votes/assign.ts";
import { handler as unassignVote } from "../votes/unassign.ts";

/** Changes of posts, and votes on behalf of accounts. */
export const handler = defineGroup("posts-write", [update, setStatus, assignVote, unassignVote]);
