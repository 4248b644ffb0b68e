import { defineGroup } from "../../lib/group.ts";
import { handler as create } from "../roadmaps/create.ts";
import { handler as remove } from "../roadmaps/delete.ts";
import { handler as sort } from "../roadmaps/sort.ts";
import { handler as update } from "../roadmaps/update.ts";

/** Roadmaps, made and changed by moderators. */
export const handler = defineGroup("roadmaps-write", [create, update, remove, sort]);
