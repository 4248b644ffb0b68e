import type { Reader } from "../formats/form.ts";
import { canny } from "./canny.ts";
import { csv } from "./csv.ts";
import { fider } from "./fider.ts";
import { jsonl } from "./jsonl.ts";
import { logchimp } from "./logchimp.ts";
import { quackback } from "./quackback.ts";
import { uservoice } from "./uservoice.ts";

/** The sources by their names in the command. */
export const sources: Record<string, Reader> = { logchimp, fider, quackback, uservoice, canny, csv, jsonl };
