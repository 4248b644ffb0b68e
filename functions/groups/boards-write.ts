import { defineGroup } from "../../lib/group.ts";
import { handler as checkSlug } from "../boards/check-slug.ts";
import { handler as create } from "../boards/create.ts";
import { handler as remove } from "../boards/delete.ts";
import { handler as update } from "../boards/update.ts";

/** Boards, made and changed by moderators. */
export const handler = defineGroup("boards-write", [create, update, remove, checkSlug]);
