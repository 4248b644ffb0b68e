import { defineBackground } from "../../lib/background.ts";
import { work as sendMail } from "./send-mail.ts";
import { work as sendNotices } from "./send-notices.ts";

/** Sends mails. It may touch only the items that mails are made of. */
export const handler = defineBackground("send", [sendMail, sendNotices]);
