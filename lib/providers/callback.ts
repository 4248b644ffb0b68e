import { environment } from "../runtime/environment.ts";

/** Where providers lead people back: the page that the owner registers there, and the only one that is accepted. */
export function callbackUrl(): string {
  return `${environment().SITE_URL}/sign-in/callback`;
}
