import { defineGroup } from "../../lib/group.ts";
import { handler as create } from "../users/create.ts";
import { handler as update } from "../users/update.ts";

/** What owners do to accounts. */
export const handler = defineGroup("users-write", [create, update]);
