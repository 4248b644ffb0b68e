import { defineGroup } from "../../lib/group.ts";
import { handler as search } from "../posts/search.ts";
import { handler as similar } from "../posts/similar.ts";

/** What is found by words. */
export const handler = defineGroup("search", [similar, search]);
