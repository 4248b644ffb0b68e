import * as z from "zod";
import * as users from "../../lib/data/users.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";

/** Beyond the contract: ends all sessions of the caller, on every device. */
export const handler = defineEndpoint(
  {
    name: "auth-log-out",
    method: "POST",
    path: "/auth/logout",
    access: "bearer",
    request: z.object({}),
    success: 204,
    response: z.undefined(),
    errors: [],
    table: { USER: ["update"], CREDENTIALS: ["update"] },
  },
  async ({ caller }) => {
    await users.endSessions(caller);
    return undefined;
  },
);
