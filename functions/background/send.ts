import { defineBackground } from "../../lib/background.ts";
import { work as sendMail } from "./send-mail.ts";

/** Sends what leaves the service. Of the table it reaches only what it sends. */
export const handler = defineBackground("send", [sendMail]);
