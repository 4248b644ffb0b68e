import type { Work } from "../../lib/background.ts";
import { work as rank } from "./rank.ts";
import { work as writeWords } from "./write-words.ts";

/** What follows from each post: `keep` carries it out when the post changes, and the sweeper when it is deleted. */
export const followUps: readonly Work[] = [rank, writeWords];
