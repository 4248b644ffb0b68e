import { beforeAll, describe, expect, it } from "vitest";
import type { FaultKind } from "../simulator/faults/faults.ts";
import type { Program } from "../simulator/scheduler/program.ts";
import type { Request } from "../support/http/invoke.ts";
import { sharedService } from "./shared-program.ts";
import { FAULTS } from "./world/fault-at.ts";
import { storyWith } from "./world/story.ts";
import type { World } from "./world/world.ts";

// A person confirms another address. A stranger signs up with that address in the same moment, and one call of the
// confirmation to the store meets a fault. Time is virtual and the seed fixed.

const OLD = "ann@old.example.com";
const NEW = "ann@new.example.com";
const PASSWORD = "correct horse battery staple";
const STRANGERS = "a stranger's long password";
const CONFIRM = "auth-email-validate";

let program: Program;

beforeAll(async () => {
  program = await sharedService();
});

async function tokenMailedTo(world: World, address: string): Promise<string> {
  await world.sleep(6000);
  const letter = world.letters.findLast(({ to, purpose }) => to === address && purpose === "verify");
  if (!letter) throw new Error(`no letter to ${address} has arrived`);
  return letter.token;
}

/** A person with a confirmed address, who has asked for another one: what confirms it. */
async function asksForAnother(world: World): Promise<Request> {
  const { must } = world;
  await must("auth-set-up", { body: { email: "owner@example.com", password: PASSWORD } });
  const { user } = await must("auth-sign-up", { body: { email: OLD, password: PASSWORD } });
  const token: string = user.authToken;
  await must("auth-email-verify", { token });
  await must(CONFIRM, { token, body: { token: await tokenMailedTo(world, OLD) } });
  await must("users-change-email", { token, body: { email: NEW } });
  return { token, body: { token: await tokenMailedTo(world, NEW) } };
}

/** Whether an address and a password open an account. */
async function opens(world: World, email: string, password: string): Promise<boolean> {
  return (await world.call("auth-log-in", { body: { email, password } })).status === 200;
}

/** Confirms under a fault. Returns how many calls that made, and whether the person has the new address. */
function story(number: number, kind: FaultKind, { isRaced }: { isRaced: boolean }) {
  const fault = { endpoint: CONFIRM, number, kind };
  return storyWith(program, fault, `${isRaced} ${kind} ${number}`, async (world, underFault) => {
    const confirmation = await asksForAnother(world);
    const signUp = () => world.call("auth-sign-up", { body: { email: NEW, password: STRANGERS } });
    await underFault(() => Promise.all([world.call(CONFIRM, confirmation), isRaced && signUp()]));
    await world.call(CONFIRM, confirmation);
    const isTaken = await opens(world, NEW, PASSWORD);
    expect(await opens(world, OLD, PASSWORD), "the old address opens").toBe(!isTaken);
    expect(await opens(world, NEW, STRANGERS), "the stranger has the new address").toBe(!isTaken);
    // The address that the person has not is free for others if nobody else has it.
    const again = await world.call("auth-sign-up", { body: { email: OLD, password: STRANGERS } });
    expect(again.status === 201, "the old address is free").toBe(isTaken);
    return { isTaken };
  });
}

describe("A confirmed change of address", () => {
  it.each(FAULTS)("is made once and whole, at whichever call: %s", async (kind) => {
    const { calls } = await story(0, kind, { isRaced: false });
    expect(calls).toBeGreaterThanOrEqual(2);
    for (let number = 1; number <= calls; number++) {
      const { isTaken } = await story(number, kind, { isRaced: false });
      expect(isTaken, `a fault at call ${number} of ${calls}`).toBe(true);
    }
  });

  it("gives the address to one of two, at whichever call", async () => {
    const outcomes = new Set<boolean>();
    for (const kind of FAULTS) {
      const { calls } = await story(0, kind, { isRaced: true });
      for (let number = 1; number <= calls; number++) {
        const { isTaken } = await story(number, kind, { isRaced: true });
        outcomes.add(isTaken);
      }
    }
    // Otherwise the two never met.
    expect(outcomes).toEqual(new Set([true, false]));
  });
});
