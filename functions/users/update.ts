import * as z from "zod/mini";
import { handOver, mayOwn } from "../../lib/accounts/hand-over.ts";
import * as identities from "../../lib/accounts/identities.ts";
import * as site from "../../lib/accounts/site.ts";
import * as users from "../../lib/accounts/users.ts";
import { hasPassword } from "../../lib/auth/linking.ts";
import { SSO_ISSUER } from "../../lib/auth/sso.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { isFresh } from "../../lib/http/callers.ts";
import { UserId } from "../../lib/http/id-inputs.ts";
import { ManagedUser, managedUserView } from "../../lib/http/resources/accounts.ts";
import * as providers from "../../lib/providers/providers.ts";
import { canSend } from "../../lib/runtime/mail.ts";
import { replanned } from "../../lib/table/retries.ts";

const TEAM = ["moderator", "owner"];

/** The services by which the owner lets the team sign in. */
async function staffIssuers(): Promise<string[]> {
  const [ofSite, all] = await Promise.all([site.find(), providers.all()]);
  const forStaff = all.filter((provider) => provider.staff && providers.isLive(provider));
  return [...forStaff.map(({ issuer }) => issuer), ...(ofSite?.ssoSince && ofSite.ssoStaff ? [SSO_ISSUER] : [])];
}

/** Whether an account could sign in as the owner without a mail. */
async function hasOwnersWayIn({ userId, identities: ids = [] }: users.UserRecord): Promise<boolean> {
  if (await hasPassword(userId)) return true;
  const [issuers, linked] = await Promise.all([staffIssuers(), Promise.all(ids.map(identities.find))]);
  return linked.some((identity) => identity && issuers.includes(identity.issuer));
}

/**
 * Changes the role of an account, which ends its API keys. The role `owner` hands the site over, in a session
 * younger than ten minutes: the caller becomes a moderator in the same moment. The other account needs a confirmed
 * address, on a site that sends mails; on a site without mails it needs a way to sign in as the owner. The owner's
 * own role changes in no other way. Posts and votes show the new role shortly afterwards. Where the team must have a
 * second factor, the sessions of a new moderator or owner without it end.
 */
export const handler = defineEndpoint({
  name: "users-update",
  route: "PATCH /users/{userId}",
  permission: "user:write",
  endsAccess: ({ body: { role } }) => !TEAM.includes(role),
  request: z.object({
    params: z.object({ userId: UserId }),
    body: z.object({ role: z.enum(["member", "moderator", "owner", "suspended"]) }),
  }),
  response: z.object({ user: ManagedUser }),
  errors: ["NOT_ENOUGH_PERMISSION", "USER_NOT_FOUND", "SIGN_IN_AGAIN", "CANNOT_OWN", "CANNOT_SIGN_IN"],
  table: {
    SITE: ["get", "update"],
    USER: ["get", "update"],
    CREDENTIALS: ["get", "update"],
    IDENTITY: ["get"],
    PROVIDERS: ["query"],
    API_KEYS: ["query", "delete"],
    RENAMES: ["put"],
    PEOPLE: ["put", "delete"],
    OUTBOX: ["put"],
  },
  // Only the role can change here. So a client has the tag from any answer with the account.
  etagOf: ({ user }) => user.role,
  prefetch: async ({ params: { userId } }) => {
    const [user, ofSite] = await Promise.all([users.findWithKeys(userId), site.find()]);
    return { user, requireTwoFactor: ofSite?.requireTwoFactor === true };
  },
  audit: "user.role_changed",
  trace: ({ params: { userId }, body: { role } }) => ({ account: userId, to: role }),
  handle: async ({ params: { userId }, body: { role }, caller, prefetched, fail, checkState, addTrace }) => {
    const read = () => users.findWithKeys(userId);
    const changed = await replanned(prefetched.user, read, async (user) => {
      if (!user) throw fail("USER_NOT_FOUND");
      const isSame = user.role === role;
      if (user.role === "owner" && !isSame) throw fail("NOT_ENOUGH_PERMISSION");
      checkState({ user: managedUserView(user) });
      if (isSame) return user;
      addTrace({ values: [{ field: "role", from: user.role, to: role }] });
      const endsSessions = prefetched.requireTwoFactor && TEAM.includes(role) && !user.twoFactor;
      const outcome = role === "owner" ? await giveSite(user, endsSessions) : await give(user, endsSessions);
      return outcome === "changed meanwhile" ? outcome : { ...user, role };
    });
    return { user: managedUserView(changed) };

    function give(user: users.UserWithKeys, endsSessions: boolean) {
      return users.changeRole(user, role, { endsSessions });
    }

    async function giveSite(user: users.UserWithKeys, endsSessions: boolean) {
      if (!isFresh(caller)) throw fail("SIGN_IN_AGAIN");
      if (!mayOwn(user, canSend())) throw fail("CANNOT_OWN");
      // A mail would set a password.
      if (!(await hasOwnersWayIn(user)) && !canSend()) throw fail("CANNOT_SIGN_IN");
      const owner = await users.findWithKeys(caller.userId);
      // Another call was faster.
      if (owner?.role !== "owner") throw fail("NOT_ENOUGH_PERMISSION");
      return handOver(owner, user, { endsSessions, sendsMail: canSend() });
    }
  },
});
