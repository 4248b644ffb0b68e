import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";

/**
 * Ends all sessions of the caller, on every device.
 *
 * Links of mails from before that set a password do not work any more either.
 */
export const handler = defineEndpoint({
  name: "auth-log-out",
  method: "POST",
  path: "/auth/logout",
  access: "bearer",
  refusesKeys: true,
  success: 204,
  table: { USER: ["update"], CREDENTIALS: ["update"] },
  handle: async ({ caller }) => {
    await users.endSessions(caller);
  },
});
