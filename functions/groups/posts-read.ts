import { defineGroup } from "../../lib/group.ts";
import { handler as votes } from "../posts/votes.ts";

/** What is read of posts beyond the contract. */
export const handler = defineGroup("posts-read", [votes]);
