import { defineBackground } from "../../lib/background.ts";
import { work as announce } from "./announce.ts";
import { work as derive } from "./derive.ts";
import { work as erase } from "./erase.ts";
import { work as rewriteNames } from "./rewrite-names.ts";
import { work as sweep } from "./sweep.ts";

/** Keeps the table in order. It reaches the table only, and calls the function `deliver`. */
export const handler = defineBackground("keep", [sweep, rewriteNames, erase, announce, derive]);
