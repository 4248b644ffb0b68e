import { describe, expect, it } from "vitest";
import * as users from "../../../lib/accounts/users.ts";
import { refusal } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { operate, theEngine } from "../../support/process/operate.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { aMember } from "../../support/world/fixtures.ts";
import { withTwoFactor } from "../../support/world/two-factor.ts";

describe("npm run operate -- end-two-factor", () => {
  it("switches a second factor off once, and ends the sessions of its account", async () => {
    await freshTable();
    const { person } = await withTwoFactor(await aMember());
    const command = ["end-two-factor", person.email.toUpperCase()];
    const { code, output } = await operate(command, theEngine());
    expect(output).toMatch(/^Switched the second factor of \S+ off and ended its sessions, in the table \S+ at \S+$/m);
    expect(code).toBe(0);
    refusal(await portal.profile(person), "INVALID_TOKEN");
    expect((await users.find(person.userId))?.twoFactor).toBeUndefined();
    await expectSound();
    const again = await operate(command, theEngine());
    expect(again.code).toBe(1);
    expect(again.output).toMatch(/has this address and a second factor/);
  });
});
