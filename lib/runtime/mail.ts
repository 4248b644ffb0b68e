import { environment } from "./environment.ts";

/** Whether a mail sender is configured. */
export function canSend(): boolean {
  const { MAIL_TRANSPORT, MAIL_FROM } = environment();
  return MAIL_TRANSPORT === "log" || (MAIL_TRANSPORT === "ses" && MAIL_FROM !== undefined);
}

/** Whether the operator chose that nothing is mailed. Without a sender and this choice nobody gets an account. */
export function isWithoutMail(): boolean {
  return environment().MAIL_TRANSPORT === "off";
}
