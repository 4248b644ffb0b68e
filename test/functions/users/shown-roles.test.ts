import { beforeEach, describe, expect, it } from "vitest";
import { handler as bySlug } from "../../../functions/posts/by-slug.ts";
import { handler as createPost } from "../../../functions/posts/create.ts";
import { handler as listPosts } from "../../../functions/posts/list.ts";
import { handler as listVotes } from "../../../functions/posts/votes.ts";
import { handler as updateUser } from "../../../functions/users/update.ts";
import { handler as updateProfile } from "../../../functions/users/update-profile.ts";
import { handler as addVote } from "../../../functions/votes/add.ts";
import * as users from "../../../lib/accounts/users.ts";
import * as renames from "../../../lib/cleanup/renames.ts";
import * as due from "../../../lib/table/due.ts";
import * as votes from "../../../lib/votes/votes.ts";
import * as voting from "../../../lib/votes/voting.ts";
import { success } from "../../support/http/answers.ts";
import { invoke } from "../../support/http/invoke.ts";
import { freshTable } from "../../support/setup.ts";
import { expectSound } from "../../support/store/sound.ts";
import { aMember, aPost, aStranger, aUser, aVote, type Person } from "../../support/world/fixtures.ts";

beforeEach(freshTable);

type Answered = { userId: string; role?: string };

/** The role beside a person's posts and votes, in every answer that shows them; `none` where there is none. */
async function rolesOf({ userId }: Person): Promise<Set<string>> {
  const { posts } = success(await invoke(listPosts, { body: { limit: 50 } }), 200);
  const shown: Answered[] = [];
  for (const { postId, slug, author, voters } of posts) {
    const { post } = success(await invoke(bySlug, { body: { slug } }), 200);
    const { votes: all } = success(await invoke(listVotes, { params: { postId } }), 200);
    shown.push(author, ...voters.votes, post.author, ...post.voters.votes);
    shown.push(...all.results.map(({ user }: { user: Answered }) => user));
  }
  return new Set(shown.filter((each) => each.userId === userId).map(({ role = "none" }) => role));
}

function settled(): number {
  return Date.now() + renames.SETTLE_MS + 1;
}

async function finish(): Promise<void> {
  for (const jobId of await due.waitingIds("RENAMES")) {
    await renames.carryOut(jobId);
    expect(await renames.carryOut(jobId, settled())).toBe("done");
  }
}

async function giveRole(owner: Person, { userId }: Person, role: users.Role): Promise<void> {
  success(await invoke(updateUser, { token: owner.token, params: { userId }, body: { role } }), 200);
}

/** A post of the person, and votes of the person in a seat and beyond the seats. */
async function takePart(person: Person): Promise<void> {
  const { post } = success(await invoke(createPost, { token: person.token, body: { title: "Mine" } }), 201);
  const full = await aPost(await aMember());
  for (let n = 0; n < votes.SEATS; n++) await aVote(full.postId, aStranger());
  for (const { postId } of [post, full]) {
    const { voters } = success(await invoke(addVote, { token: person.token, body: { postId } }), 201);
    const own = voters.votes.find((vote: Answered) => vote.userId === person.userId);
    expect(own.role).toBe((await users.find(person.userId))?.role.replace(/member|suspended/, "") || undefined);
  }
}

describe("The role beside a name", () => {
  it.each([
    ["owner", "owner"],
    ["moderator", "moderator"],
    ["member", "none"],
  ] as const)("of a post or vote of the %s is %s", async (role, shown) => {
    const person = await aUser(role);
    await takePart(person);
    expect(await rolesOf(person)).toEqual(new Set([shown]));
    await expectSound();
  });

  it("cannot be had by a name", async () => {
    const ada = await aMember("Ada");
    success(await invoke(updateProfile, { token: ada.token, body: { name: "Olga Owner", role: "owner" } }), 200);
    await takePart(ada);
    expect(await rolesOf(ada)).toEqual(new Set(["none"]));
  });

  it("follows the account: to a moderator, and away with the role", async () => {
    const [owner, ada] = [await aUser("owner"), await aMember()];
    await takePart(ada);
    for (const [role, shown] of [
      ["moderator", "moderator"],
      ["member", "none"],
      ["moderator", "moderator"],
      ["suspended", "none"],
    ] as const) {
      await giveRole(owner, ada, role);
      await expectSound();
      await finish();
      expect(await rolesOf(ada)).toEqual(new Set([shown]));
      await expectSound();
    }
  });

  it("is right in the end where a name and a role change at once, whichever job is done first", async () => {
    const [owner, ada] = [await aUser("owner"), await aMember()];
    await takePart(ada);
    await giveRole(owner, ada, "moderator");
    await users.rename(ada, "Augusta");
    await giveRole(owner, ada, "member");
    for (const jobId of (await due.waitingIds("RENAMES")).toReversed()) await renames.carryOut(jobId);
    await finish();
    expect(await rolesOf(ada)).toEqual(new Set(["none"]));
    await expectSound();
  });

  it("is corrected in a vote that was cast with the role of before", async () => {
    const [owner, ada] = [await aUser("owner"), await aUser("moderator")];
    const { postId } = await aPost(owner);
    const asRead = await votes.summary(postId);
    await giveRole(owner, ada, "member");
    for (const jobId of await due.waitingIds("RENAMES")) await renames.carryOut(jobId);
    await voting.cast(postId, ada, asRead);
    expect(await rolesOf(ada)).toEqual(new Set(["moderator"]));
    await finish();
    expect(await rolesOf(ada)).toEqual(new Set(["none"]));
    await expectSound();
  });

  it("goes with a seat that is handed over", async () => {
    const owner = await aUser("owner");
    const { postId } = await aPost(await aMember());
    const seated = Array.from({ length: votes.SEATS }, aStranger);
    for (const voter of [...seated, owner]) await aVote(postId, voter);
    const { userId } = seated[0] as users.Person;
    await voting.takeBack(postId, userId, await voting.ownVote(postId, userId));
    expect((await votes.summary(postId))?.first.at(-1)).toMatchObject({ userId: owner.userId, role: "owner" });
    await expectSound();
  });
});
