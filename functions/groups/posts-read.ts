import { defineGroup } from "../../lib/group.ts";
import { handler as votes } from "../posts/votes.ts";

/** The votes of a post. */
export const handler = defineGroup("posts-read", [votes]);
