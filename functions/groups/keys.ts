import { defineGroup } from "../../lib/group.ts";
import { handler as create } from "../keys/create.ts";
import { handler as remove } from "../keys/delete.ts";
import { handler as list } from "../keys/list.ts";

/** API keys: the only function that lists or writes them. */
export const handler = defineGroup("keys", [create, list, remove]);
