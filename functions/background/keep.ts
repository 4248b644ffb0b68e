import { defineBackground } from "../../lib/background.ts";
import { work as announce } from "./announce.ts";
import { work as count } from "./count.ts";
import { work as derive } from "./derive.ts";
import { work as erase } from "./erase.ts";
import { work as exportSite } from "./export.ts";
import { work as moveMerged } from "./move-merged.ts";
import { work as rewriteNames } from "./rewrite-names.ts";
import { work as sweep } from "./sweep.ts";

/** Keeps the table in order, and writes exports. It reaches the table, their bucket, and the function `deliver`. */
export const handler = defineBackground("keep", [
  sweep,
  rewriteNames,
  erase,
  exportSite,
  moveMerged,
  announce,
  count,
  derive,
]);
