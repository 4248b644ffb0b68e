import { defineGroup } from "../../lib/group.ts";
import { handler as browse } from "../boards/browse.ts";
import { handler as byUrl } from "../boards/by-url.ts";
import { handler as search } from "../boards/search.ts";

/** Boards, one or many. */
export const handler = defineGroup("boards-read", [byUrl, browse, search]);
