import { beforeEach, describe, expect, it } from "vitest";
import type { Role } from "../../../lib/accounts/roles.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as renames from "../../../lib/cleanup/renames.ts";
import * as due from "../../../lib/table/due.ts";
import { SEATS } from "../../../lib/votes/seats.ts";
import { invoke, success } from "../../support/http/invoke.ts";
import * as portal from "../../support/portal.ts";
import { expectSound, freshTable } from "../../support/setup.ts";
import { aMember, aPost, aUser, type Person, strangersVote } from "../../support/world/fixtures.ts";

beforeEach(freshTable);

type Answered = { userId: string; role?: string | undefined };

/** Expects a role beside a person's posts and votes, in every answer that shows them. */
async function expectRole({ userId }: Person, role: string | undefined): Promise<void> {
  const shown: Answered[] = [];
  for (const post of await portal.list({ limit: 50 })) {
    const single = await portal.shownPost(post);
    for (const { author, voters } of [post, single]) shown.push(author, ...voters.votes);
    const all: { user: Answered }[] = (await portal.votes(post)).results;
    shown.push(...all.map(({ user }) => user));
  }
  const roles = shown.filter((each) => each.userId === userId).map((each) => each.role);
  expect(new Set(roles)).toEqual(new Set([role]));
}

async function giveRole(owner: Person, { userId }: Person, role: Role): Promise<void> {
  success(await invoke("users-update", { token: owner.token, params: { userId }, body: { role } }), 200);
}

async function takePart(person: Person): Promise<void> {
  const { post } = success(await portal.post({ title: "Mine" }, person), 201);
  const full = await aPost(await aMember());
  await strangersVote(full.postId, SEATS);
  for (const each of [post, full]) success(await portal.vote(each, person), 201);
}

describe("The role beside a name", () => {
  it("shows on posts and votes of the owner", async () => {
    const owner = await aUser("owner");
    await takePart(owner);
    await expectRole(owner, "owner");
    await expectSound();
  });

  it("follows the account: to a moderator, and away with the role", async () => {
    const owner = await aUser("owner");
    const ada = await aMember();
    await takePart(ada);
    for (const role of ["moderator", "member", "moderator", "suspended"] as const) {
      await giveRole(owner, ada, role);
      await expectSound();
      await portal.finishRenames();
      await expectRole(ada, role === "moderator" ? role : undefined);
      await expectSound();
    }
  });

  it("settles when name and role change in parallel, whichever job is done first", async () => {
    const owner = await aUser("owner");
    const ada = await aMember();
    await takePart(ada);
    await giveRole(owner, ada, "moderator");
    await users.changeProfile(ada, { name: "Augusta" });
    await giveRole(owner, ada, "member");
    for (const jobId of (await due.waitingIds("RENAMES")).toReversed()) await renames.carryOut(jobId);
    await portal.finishRenames();
    await expectRole(ada, undefined);
    await expectSound();
  });
});
