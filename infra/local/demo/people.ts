import { register } from "../../../lib/accounts/new-users.ts";
import * as site from "../../../lib/accounts/site.ts";
import * as users from "../../../lib/accounts/users.ts";
import { newAccount, openAccount } from "../../../lib/auth/accounts.ts";
import { DAY_MS } from "../../../lib/values/days.ts";
import { idAt, timeOf } from "../../../lib/values/ids.ts";
import * as demo from "./demo-set.ts";

// The accounts of the demo, and its moments.

/** When the demo starts, in milliseconds since 1970: some weeks ago, and the same moment in each load. */
export async function startOfDemo(): Promise<number> {
  const userId = await users.idOf(demo.member.email);
  return userId ? timeOf(userId) : Date.now() - demo.lastDay * DAY_MS;
}

/** The moment of a day of the demo; not in the future. */
export function momentOf(start: number, day: number): number {
  return Math.min(Math.round(start + day * DAY_MS), Date.now());
}

/** Opens the account of a person, unless it is there. */
export async function account(
  { email, name, role, day, language }: demo.DemoPerson,
  start: number,
  passwordHash: string,
): Promise<users.UserRecord> {
  const { user, outcome } = await openAccount(
    () => ({ ...newAccount(email, name, role, { language, at: momentOf(start, day) }), isVerified: true }),
    (draft) => register(draft, passwordHash),
  );
  return outcome === "email taken" ? accountOf(email) : user;
}

export async function accountOf(email: string): Promise<users.UserRecord> {
  const user = await users.find((await users.idOf(email)) ?? "");
  if (!user) throw new Error(`The demo's account ${email} is gone: load the demo into a new data folder`);
  return user;
}

/** Sets the site up, unless it has an owner, who stays. */
export async function setUp(start: number, passwordHash: string): Promise<void> {
  const { email, name, role } = demo.owner;
  const { outcome } = await openAccount(
    () => ({ ...newAccount(email, name, role, { at: start }), isVerified: true }),
    (owner) => site.setUp(demo.site.title, owner, passwordHash, site.firstBoard(idAt(start))),
  );
  if (outcome === "email taken")
    throw new Error(`${email} has an account that owns nothing: the demo cannot be loaded`);
  const found = await siteOfDemo();
  if (found && found.description === undefined) await site.change(found, { description: demo.site.description });
}

/** The site, if it belongs to the owner of the demo. */
export async function siteOfDemo() {
  const found = await site.find();
  return found?.ownerId === (await users.idOf(demo.owner.email)) ? found : undefined;
}
