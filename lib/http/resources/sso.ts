import * as z from "zod/mini";
import type { Site } from "../../accounts/site.ts";
import { environment } from "../../runtime/environment.ts";

/** Sign-ins by tokens of the owner's product, as the owner manages them. */
export const Sso = z.object({
  enabled: z.boolean(),
  rotatedAt: z.nullable(z.string()),
  staff: z.boolean(),
  signInUrl: z.string(),
});
export type Sso = z.infer<typeof Sso>;

export function ssoView({ ssoSince, ssoStaff = false }: Partial<Site> = {}): Sso {
  return {
    enabled: ssoSince !== undefined,
    rotatedAt: ssoSince === undefined ? null : new Date(ssoSince).toISOString(),
    staff: ssoStaff,
    signInUrl: `${environment().SITE_URL}/sign-in/sso`,
  };
}
