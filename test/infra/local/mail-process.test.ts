import { beforeAll, describe, expect, it } from "vitest";
import { type MailService, startMailService } from "../../support/process/mail-service.ts";
import { aFolder, eventually, signUp, startServer } from "../../support/process/server-process.ts";

let service: MailService;

beforeAll(async () => {
  service = await startMailService();
});

function bySes(DATA_DIR: string) {
  return {
    env: {
      DATA_DIR,
      MAIL_TRANSPORT: "ses",
      MAIL_FROM: "feedback@example.com",
      AWS_ENDPOINT_URL_SESV2: service.url,
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    },
  };
}

describe.runIf(process.platform === "linux")("A mail of npm start", () => {
  it("waits over a restart for a silent mail service, and does not keep the server from ending", async () => {
    const DATA_DIR = aFolder();
    service.mood = "hang";
    const crashed = await startServer(bySes(DATA_DIR));
    const letters = Array.from({ length: 14 }, (_, n) => `barbara.${n}@example.com`);
    for (const email of letters) await signUp(crashed.baseUrl, email);
    process.kill(crashed.pid, "SIGKILL");
    await crashed.ended;
    const before = service.attempts;
    const stopped = await startServer(bySes(DATA_DIR));
    await eventually(() => expect(service.attempts).toBeGreaterThan(before));
    expect(await stopped.stop()).toBe(0);
    // Each letter is tried for five seconds, ten side by side. The server did not wait for all of them.
    expect(service.attempts - before).toBeLessThan(letters.length);
    service.mood = "take";
    const next = await startServer(bySes(DATA_DIR));
    await eventually(() => expect(service.taken.slice(-letters.length).sort()).toEqual(letters.toSorted()));
    await next.stop();
  });
});
