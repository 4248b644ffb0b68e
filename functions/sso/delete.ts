import * as sso from "../../lib/accounts/sso.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";

/**
 * Deletes the secrets that sign tokens of the owner's product: nobody signs in by one any more. Sessions stay, and with
 * a new secret the same people find their accounts again.
 */
export const handler = defineEndpoint({
  name: "sso-delete",
  route: "DELETE /sso",
  permission: "settings:update",
  refusesKeys: true,
  endsAccess: true,
  success: 204,
  table: { SITE: ["update"], SSO_SECRET: ["delete"] },
  audit: "sso.deleted",
  trace: () => ({}),
  handle: () => sso.switchOff(),
});
