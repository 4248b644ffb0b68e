import { defineGroup } from "../../lib/group.ts";
import { handler as create } from "../comments/create.ts";
import { handler as destroy } from "../comments/delete.ts";
import { handler as update } from "../comments/update.ts";

/** Comments and notes that are written, changed and deleted. */
export const handler = defineGroup("comments-write", [create, update, destroy]);
