import { defineBackground } from "../../lib/background.ts";
import { work as rank } from "./rank.ts";
import { work as rewriteNames } from "./rewrite-names.ts";
import { work as sweep } from "./sweep.ts";
import { work as writeWords } from "./write-words.ts";

/** Keeps the table in order. It reaches nothing but the table. */
export const handler = defineBackground("keep", [sweep, rewriteNames, rank, writeWords]);
