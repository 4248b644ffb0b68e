import { defineGroup } from "../../lib/group.ts";
import { handler as update } from "../posts/update.ts";

/** What is written to posts beyond the contract. */
export const handler = defineGroup("posts-write", [update]);
