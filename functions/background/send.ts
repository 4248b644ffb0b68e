import { defineBackground } from "../../lib/background.ts";
import { work as sendMail } from "./send-mail.ts";
import { work as sendNotices } from "./send-notices.ts";

/** Sends what leaves the service. Of the table it reaches only what it sends. */
export const handler = defineBackground("send", [sendMail, sendNotices]);
