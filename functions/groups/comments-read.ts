import { defineGroup } from "../../lib/group.ts";
import { handler as list } from "../comments/list.ts";

/** What is read of comments: beside the writers, the only function behind the API that may read notes. */
export const handler = defineGroup("comments-read", [list]);
