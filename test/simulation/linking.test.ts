import { beforeAll, describe, expect, it } from "vitest";
import type { FaultKind } from "../simulator/faults/faults.ts";
import type { Program } from "../simulator/scheduler/program.ts";
import { sharedService } from "./shared-program.ts";
import { FAULTS } from "./world/fault-at.ts";
import { liveProvider } from "./world/live-provider.ts";
import { returnedFor } from "./world/sign-in-provider.ts";
import { storyWith } from "./world/story.ts";
import type { World } from "./world/world.ts";

// The first sign-in by a provider, in each case of docs/sign-in.md#which-account-it-is, while one call of it to the
// store meets a fault. Time is virtual and the seed fixed.

const ADDRESS = "ann@example.com";
const OWNERS = "owner@example.com";
const PASSWORD = "correct horse battery staple";
const SIGN_IN = "auth-oidc";

/** Who has the address before. Returns the account, if there is one. */
type Before = (world: World, owner: string) => Promise<{ userId: string; email: string } | undefined>;

async function unconfirmed({ must }: World) {
  const { user } = await must("auth-sign-up", { body: { email: ADDRESS, password: PASSWORD } });
  return user;
}

const before: Record<string, Before> = {
  nobody: async () => undefined,
  "an account that was never confirmed": (world) => unconfirmed(world),
  "a confirmed account": async (world) => {
    const user = await unconfirmed(world);
    const { must } = world;
    await must("auth-email-verify", { token: user.authToken });
    await world.sleep(6000);
    const letter = world.letters.find(({ to, purpose }) => to === ADDRESS && purpose === "verify");
    await must("auth-email-validate", { token: user.authToken, body: { token: letter?.token } });
    return user;
  },
  "the owner": async ({ must }, token) => (await must("users-profile", { token })).user,
};

const claims: Record<string, { email_verified?: boolean; email?: undefined }> = {
  "confirms the address": {},
  "does not confirm it": { email_verified: false },
  "names no address": { email: undefined },
};

type Outcome = "refused" | "the account" | "an account with the address" | "an account without an address";

/** The table of the document. */
function expected(holder: string, claim: string): Outcome {
  if (claim !== "confirms the address") return "an account without an address";
  if (holder === "nobody") return "an account with the address";
  return holder === "an account that was never confirmed" ? "the account" : "refused";
}

/** Plays a case. Returns how many calls the first attempt made, and what came of the sign-in in the end. */
function story(holder: string, claim: string, number: number, kind: FaultKind) {
  const fault = { endpoint: SIGN_IN, number, kind };
  return storyWith(program, fault, `${holder} ${claim} ${number}`, async (world, underFault) => {
    const setUp = await world.must("auth-set-up", { body: { email: OWNERS, password: PASSWORD } });
    const providerId = await liveProvider(world, setUp.user.authToken);
    const account = await before[holder]?.(world, setUp.user.authToken);
    const person = { sub: "ann at the provider", email: account?.email ?? ADDRESS, ...claims[claim] };
    const signIn = () => world.call(SIGN_IN, { params: { providerId }, body: returnedFor(person) });
    const first = await underFault(signIn);
    const again = await signIn();
    const users = [first, again].map(({ body }) => body.user as { userId: string; authToken: string } | undefined);
    const ids = new Set(users.flatMap((user) => user?.userId ?? []));
    expect(ids.size, "one person, one account").toBeLessThanOrEqual(1);
    return { outcome: await outcomeOf(world, again.body.code, users[1], account?.userId) };
  });
}

async function outcomeOf(
  { must }: World,
  code: unknown,
  entered: { userId: string; authToken: string } | undefined,
  holderId: string | undefined,
): Promise<Outcome | undefined> {
  if (!entered) return code === "SIGN_IN_TO_LINK" ? "refused" : undefined;
  if (entered.userId === holderId) return "the account";
  const { user } = await must("users-profile", { token: entered.authToken });
  return user.email === ADDRESS ? "an account with the address" : "an account without an address";
}

let program: Program;

beforeAll(async () => {
  program = await sharedService();
});

describe.each(Object.keys(before))("A first sign-in by a provider, with an address of %s", (holder) => {
  it.each(Object.keys(claims))(
    "goes where the document says, at whichever call a fault comes: it %s",
    async (claim) => {
      const { calls, outcome } = await story(holder, claim, 0, "kill-after");
      expect(outcome).toBe(expected(holder, claim));
      for (let number = 1; number <= calls; number++) {
        const kind = FAULTS[number % FAULTS.length] as FaultKind;
        const { outcome } = await story(holder, claim, number, kind);
        expect(outcome, `${kind} at call ${number} of ${calls}`).toBe(expected(holder, claim));
      }
    },
  );
});
