import { describe, expect, it } from "vitest";
import * as servers from "../../support/process/server-process.ts";
import { startProxy } from "../../support/process/tcp-proxy.ts";
import { contract } from "../../support/world/contract.ts";

/** A valid request for each endpoint; each needs the store. */
function requestOf(name: string, postId: string, slug: string): { path?: string; body?: unknown } {
  const account = { email: `newcomer.${name}@example.com`, password: "correct horse" };
  const requests: Record<string, { path?: string; body?: unknown }> = {
    "auth-sign-up": { body: account },
    "auth-set-up": { body: account },
    "posts-by-slug": { body: { slug } },
    "votes-add": { body: { postId } },
    "votes-remove": { body: { postId } },
    "roadmaps-search": { path: "/roadmaps/search/a" },
    "roadmaps-by-url": { path: "/roadmaps/a" },
    "posts-create": { body: { title: "During the outage" } },
    "posts-delete": { body: { id: postId } },
  };
  return requests[name] ?? {};
}

type Site = { baseUrl: string; token: string; postId: string; slug: string };

async function aSite(baseUrl: string): Promise<Site> {
  const token = await servers.signUp(baseUrl, "ada@example.com");
  const { body } = await servers.call(baseUrl, "POST", "/posts", { token, body: { title: "Before" } });
  return { baseUrl, token, postId: body.post.postId, slug: body.post.slug };
}

function callAll({ baseUrl, token, postId, slug }: Site): Promise<[string, servers.Answer][]> {
  return Promise.all(
    contract.map(async ({ definition: { name, method, path } }): Promise<[string, servers.Answer]> => {
      const request = requestOf(name, postId, slug);
      return [name, await servers.call(baseUrl, method, request.path ?? path, { token, body: request.body })];
    }),
  );
}

async function expectOutage(site: Site): Promise<void> {
  const answers = await callAll(site);
  expect(answers).toHaveLength(12);
  for (const [name, { status, headers, body }] of answers) {
    const failure = { code: "SERVER_ERROR", message: "Something went wrong on our side" };
    expect([name, status, headers.get("retry-after"), body]).toEqual([name, 503, "1", failure]);
  }
}

async function expectRecovery(site: Site): Promise<void> {
  const list = () => servers.call(site.baseUrl, "POST", "/posts/get", { token: site.token });
  await servers.eventually(async () => expect((await list()).status).toBe(200));
  // No request that was answered with a 503 has changed anything.
  expect((await list()).body.posts.map(({ title }: { title: string }) => title)).toEqual(["Before"]);
  const statuses = (await callAll(site)).map(([name, { status }]) => [name, status >= 500]);
  expect(statuses).toEqual(contract.map(({ definition: { name } }) => [name, false]));
}

describe.runIf(process.platform === "linux")("npm start", { concurrent: true }, () => {
  it("answers 503 while the store's connections stall, and works again afterwards", async () => {
    // The engine of this test file: the server did not start it.
    const enginePort = Number(/127\.0\.0\.1:(\d+)/.exec(process.env.DYNAMODB_ENDPOINT ?? "")?.[1]);
    const proxy = await startProxy(enginePort);
    const env = { DYNAMODB_ENDPOINT: proxy.url, TABLE_NAME: "outage" };
    const server = await servers.startServer({ options: ["--memory"], env });
    const site = await aSite(server.baseUrl);
    proxy.set("stall");
    await expectOutage(site);
    proxy.set("pass");
    await expectRecovery(site);
    expect(await server.stop()).toBe(0);
    await proxy.stop();
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
