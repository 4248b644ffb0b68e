import { describe, expect, it } from "vitest";
import { sharedService } from "./shared-program.ts";
import { World } from "./world/world.ts";

// Time is virtual and the seed fixed. docs/webhooks.md has the times of 1,000 events.

const EVENTS = 20;
const PAUSE_MS = 100;
const QUICK = Array.from({ length: 9 }, (_, n) => `quick-${n}.receiver.example`);

const program = await sharedService();

/** The time that 99 of 100 messages to the quick receivers take, in milliseconds. */
async function p99(hosts: string[]): Promise<number> {
  const world = new World({ seed: 1, program, clockErrors: [0, 0, 0, 0] });
  const life = async (): Promise<void> => {
    const { user } = await world.must("auth-set-up", {
      body: { email: "o@example.com", password: "correct horse battery" },
    });
    const token = user?.authToken ?? "";
    const { post } = await world.must("posts-create", { token, body: { title: "A post" } });
    for (const host of hosts)
      await world.must("webhooks-create", { token, body: { url: `https://${host}/`, events: ["comment.created"] } });
    const comments = Array.from({ length: EVENTS }, async (_, n) => {
      await world.sleep(n * PAUSE_MS);
      await world.must("comments-create", { token, params: { postId: post?.postId }, body: { body: "A comment" } });
    });
    await Promise.all(comments);
    await world.sleep(60_000);
  };
  await world.complete(life());
  const delays = world.receivers.messages.filter(({ host }) => QUICK.includes(host)).map(({ delay = 0 }) => delay);
  expect(delays.length).toBeGreaterThanOrEqual(EVENTS * QUICK.length);
  return delays.sort((a, b) => a - b)[Math.floor(delays.length * 0.99)] ?? 0;
}

describe("A receiver that answers nothing", () => {
  it("delays no message to nine others", async () => {
    const dead = "dead.receiver.example";
    expect(await p99([...QUICK, dead])).toBeLessThan(1.1 * (await p99(QUICK)));
  });
});
