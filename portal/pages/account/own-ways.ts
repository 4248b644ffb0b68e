import { isNoAddress } from "../../../lib/values/no-address.ts";
import { answer, type Schemas } from "../../api.ts";
import { define } from "../../data.ts";
import { token } from "../../session.ts";
import { useCan, useSite } from "../../site.ts";

// The ways into one's own account: what the profile and the page of the password ask.

/** The linked sign-ins, and whether there is a password. */
export const ownWays = define("own ways", async (client) =>
  token.peek() ? answer(client.GET("/users/profile/identities")) : undefined,
);

/** Whether an account may have a password. One without an address has none to sign in with. */
export function useMayHavePassword(user: Schemas["Profile"]): boolean {
  const { password } = useSite();
  const isOwner = useCan()("settings:update");
  return (password || isOwner) && !isNoAddress(user.email);
}
