import { describe, expect, it } from "vitest";
import * as servers from "../../support/process/server-process.ts";
import { startBadStore } from "../../support/store/bad-store.ts";

// Each endpoint in every kind of outage: test/functions/outage.test.ts.

type Site = { baseUrl: string; token: string };

async function aSite(baseUrl: string): Promise<Site> {
  const token = await servers.signUp(baseUrl, "ada@example.com");
  await servers.call(baseUrl, "POST", "/posts", { token, body: { title: "Before" } });
  return { baseUrl, token };
}

function readAndWrite({ baseUrl, token }: Site): Promise<servers.Answer[]> {
  const body = { title: "During the outage" };
  return Promise.all(["/posts/get", "/posts"].map((path) => servers.call(baseUrl, "POST", path, { token, body })));
}

async function expectOutage(site: Site): Promise<void> {
  const failure = { code: "SERVER_ERROR", message: "Something went wrong on our side" };
  for (const { status, headers, body } of await readAndWrite(site)) {
    expect([status, headers.get("retry-after"), body]).toEqual([503, "1", failure]);
  }
}

async function expectRecovery(site: Site): Promise<void> {
  const list = () => servers.call(site.baseUrl, "POST", "/posts/get", { token: site.token });
  await servers.eventually(async () => expect((await list()).status).toBe(200));
  // No request that was answered with a 503 has changed anything.
  expect((await list()).body.posts.map(({ title }: { title: string }) => title)).toEqual(["Before"]);
  expect((await readAndWrite(site)).map(({ status }) => status)).toEqual([200, 201]);
}

describe.runIf(process.platform === "linux")("npm start", { concurrent: true }, () => {
  it("answers 503 while the store stays silent, and works again afterwards", async () => {
    // The engine of this test file: the server did not start it.
    const store = await startBadStore(process.env.DYNAMODB_ENDPOINT as string);
    const env = { DYNAMODB_ENDPOINT: store.endpoint, TABLE_NAME: "outage" };
    const server = await servers.startServer({ options: ["--memory"], env });
    const site = await aSite(server.baseUrl);
    store.moods = ["silent"];
    await expectOutage(site);
    store.moods = ["well"];
    await expectRecovery(site);
    expect(await server.stop()).toBe(0);
    store.stop();
  });

  it("answers 503 while its engine is killed, and starts it again with all its data", async () => {
    const DATA_DIR = servers.aFolder();
    const server = await servers.startServer({ env: { DATA_DIR } });
    const site = await aSite(server.baseUrl);
    const killed = servers.engineOf(DATA_DIR).pid;
    process.kill(killed, "SIGKILL");
    await expectOutage(site);
    await expectRecovery(site);
    expect(servers.engineOf(DATA_DIR).pid).not.toBe(killed);
    expect(await server.stop()).toBe(0);
  });
});
