import * as users from "../../lib/accounts/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";

/** Ends all sessions of the caller, on every device. Links in earlier mails can no longer set a password. */
export const handler = defineEndpoint({
  name: "auth-log-out",
  route: "POST /auth/logout",
  refusesKeys: true,
  endsAccess: true,
  success: 204,
  table: { USER: ["update"], CREDENTIALS: ["update"] },
  audit: "own affair",
  trace: ({ caller }) => ({ account: caller.userId }),
  handle: async ({ caller }) => {
    await users.endSessions(caller);
  },
});
