import { beforeAll, describe, expect, it, vi } from "vitest";
import * as users from "../../lib/accounts/users.ts";
import * as tokens from "../../lib/auth/tokens.ts";
import { grantsOf } from "../../lib/http/definition.ts";
import * as log from "../../lib/runtime/log.ts";
import { invoke, refusal, success, unavailable } from "../support/http/invoke.ts";
import { leakInLog, logLines } from "../support/http/logs.ts";
import { throttled, withFaults } from "../support/store/faults.ts";
import { aWorld, endpointsWithExample, goodRequest, type World } from "../support/world/examples.ts";
import { aComment, aKey, anAccount, aPost } from "../support/world/fixtures.ts";

// docs/guarantees.md#promises: no internals in any answer, no personal data in any log line. test/support scans the
// replies and lines of all tests (invoke.ts, setup.ts); these tests provoke leaks.

const touching = endpointsWithExample.filter(({ endpoint }) => Object.keys(grantsOf(endpoint.definition)).length > 0);

const changing = endpointsWithExample.filter(({ endpoint }) => {
  const { OUTBOX: _, ...table } = endpoint.definition.table;
  return Object.values(table).some((verbs) => /put|update|delete/.test(verbs.join()));
});

function last(): Record<string, unknown> {
  return JSON.parse(logLines.at(-1) ?? "{}");
}

function idsIn(value: unknown): string[] {
  return JSON.stringify(value ?? null).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
}

let world: World;
beforeAll(async () => {
  world = await aWorld();
});

function failure(name: string): Error {
  return Object.assign(
    new Error(`arn:aws:dynamodb:us-east-1:123456789012:table/${process.env.TABLE_NAME} canary-5b1c`),
    { name, $metadata: { httpStatusCode: 400, requestId: "canary-5b1c" } },
  );
}

describe("the answer to an unexpected error", () => {
  it.each(touching)("leaves the error to the log: $name", async ({ endpoint }) => {
    for (const name of ["AccessDeniedException", "ResourceNotFoundException", "ValidationException", "SomeError"]) {
      const request = await goodRequest(endpoint, world);
      const start = logLines.length;
      const reply = await withFaults(
        () => failure(name),
        () => invoke(endpoint, request),
      );
      refusal(reply, "SERVER_ERROR");
      expect(Object.keys(reply.body)).toEqual(["message", "code"]);
      expect(JSON.stringify(reply.body)).not.toContain("canary-5b1c");
      expect(logLines.slice(start).filter((line) => line.includes(name) && line.includes("canary-5b1c"))).not.toEqual(
        [],
      );
    }
  });

  it("gets status 503 if the store throttles, and two lines without a stack in the log", async () => {
    const start = logLines.length;
    unavailable(await withFaults(throttled, () => invoke("posts-list", {})));
    unavailable(await withFaults(throttled, () => invoke("boards-list", { token: world.member.token })));
    expect(logLines.length - start).toBeLessThanOrEqual(4);
    expect(logLines.slice(start).filter((line) => line.includes('"stack"'))).toEqual([]);
  });
});

describe("the log", () => {
  it("contains no address, password, name, title or token of any request", async () => {
    const canary = "canary-77e0";
    const start = logLines.length;
    const body = { email: `${canary}@example.com`, password: `${canary} password`, name: canary, siteTitle: canary };
    const { user } = success(await invoke("auth-sign-up", { body }), 201);
    for (const endpoint of ["auth-sign-up", "auth-set-up"]) {
      const wrong = [{ email: `${canary} no address` }, { password: canary.slice(0, 7) }];
      for (const changed of [body, ...wrong.map((fields) => ({ ...body, ...fields }))]) {
        await invoke(endpoint, { body: changed });
        await withFaults(
          () => failure("SomeError"),
          () => invoke(endpoint, { body: { ...changed, email: `x${body.email}` } }),
        );
      }
      await invoke(endpoint, { body: JSON.stringify(body).slice(0, -1) });
    }
    for (const { endpoint } of endpointsWithExample) {
      for (const token of [user.authToken, `${user.authToken}${canary}`, canary]) {
        const request = { body: { title: canary, name: canary, slug: canary }, params: { name: canary, url: canary } };
        await invoke(endpoint, { token, ...request });
      }
    }
    const lines = logLines.slice(start);
    expect(lines.length).toBeGreaterThan(3 * endpointsWithExample.length);
    const [head, payload, signature] = user.authToken.split(".");
    for (const secret of [canary, head, payload, signature]) {
      expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    }
  });

  it("holds one line per request, with a fixed list of fields", async () => {
    const start = logLines.length;
    await invoke("boards-list", { token: world.member.token, query: { limit: "0" } });
    const lines = logLines.slice(start);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] as string)).toStrictEqual({
      time: expect.any(String),
      level: "info",
      message: "request",
      requestId: expect.any(String),
      endpoint: "boards-list",
      method: "GET",
      route: "/boards",
      status: 400,
      code: "VALIDATION_ERROR",
      ms: expect.any(Number),
      storeCalls: expect.any(Number),
      conflicts: 0,
      userId: world.member.userId,
    });
  });

  it.each(changing)("names who makes a change, what changes and whose it is: $name", async ({ endpoint }) => {
    const request = await goodRequest(endpoint, world);
    const reply = await invoke(endpoint, request);
    const { userId, item, account, network } = last();
    if (endpoint.definition.access === "public") return expect(network ?? account).toBeTruthy();
    expect(userId).toEqual(request.token === world.owner.token ? world.owner.userId : expect.any(String));
    const said = idsIn({ item, account });
    for (const id of idsIn(request.params)) expect(said).toContain(id);
    for (const id of said) expect([...idsIn([request, reply.body]), world.author.userId, userId]).toContain(id);
    if (/^(posts|comments)-(update|delete|set-status)$/.test(endpoint.definition.name)) {
      expect(account).toBe(world.author.userId);
    }
    // Of what a site has only one, the name of the endpoint says what changes.
    if (!/^(settings|statuses|sso)-/.test(endpoint.definition.name)) expect(item ?? account).toBeTruthy();
  });

  it("names the author of a note that another moderator changes, is refused to change and deletes", async () => {
    const { owner, moderator, author } = world;
    const { postId } = await aPost(author);
    const { commentId } = await aComment(postId, moderator, { isInternal: true });
    const about = { item: `${postId}/${commentId}`, account: moderator.userId };
    const by = (token: string) => ({ token, params: { postId, commentId } });
    success(await invoke("comments-update", { ...by(owner.token), body: { body: "Another" } }), 200);
    expect(last()).toMatchObject(about);
    const { text } = await aKey(owner, ["comment:view_internal", "comment:delete:own"]);
    refusal(await invoke("comments-delete", by(text)), "NOT_ENOUGH_PERMISSION");
    expect(last()).toMatchObject({ ...about, userId: owner.userId });
    success(await invoke("comments-delete", by(owner.token)), 204);
    expect(last()).toMatchObject(about);
  });

  it("names the network of a login by a mark, and the session that ended", async () => {
    const { member } = world;
    const target = await anAccount("correct horse");
    const marks = new Set<unknown>();
    for (const [sourceIp, password] of [
      ["198.51.100.1", "correct horse"],
      ["198.51.100.1", "wrong"],
      ["198.51.100.2", "wrong"],
    ]) {
      await invoke("auth-log-in", { body: { email: target.email, password }, ...(sourceIp && { sourceIp }) });
      expect(last()).toMatchObject({ account: target.userId, network: expect.stringMatching(/^[0-9a-f]{16}$/) });
      marks.add(last().network);
    }
    expect(marks.size).toBe(2);
    await invoke("auth-log-in", { body: { email: "nobody@example.com", password: "wrong" } });
    expect(last().account).toBeUndefined();
    // An ended session is named too: its token was signed here.
    const stolen = member.token;
    await users.endSessions(member);
    refusal(await invoke("boards-list", { token: stolen }), "INVALID_TOKEN");
    expect(last()).toMatchObject({ userId: member.userId, code: "INVALID_TOKEN" });
    member.token = await tokens.issue({ ...member, tokenVersion: member.tokenVersion + 1 });
    expect(logLines.filter((line) => line.includes("198.51.100"))).toEqual([]);
  });

  it("holds a short line for a request at a terminal", async () => {
    const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    process.stdout.isTTY = true;
    await invoke("boards-list", { token: world.member.token });
    log.error("a job failed", { error: new Error("of the engine") });
    process.stdout.isTTY = false;
    const [request, error] = printed.mock.calls.map(([line]) => String(line));
    printed.mockRestore();
    expect(request).toMatch(/^\d\d:\d\d:\d\d GET \/boards 200 \d+ ms\n$/);
    expect(error).toMatch(/^[\d:]{8} error: a job failed Error: of the engine\n +at /);
  });
});

describe("a successful answer", () => {
  it("shows an address to its owner only", async () => {
    for (const { endpoint } of endpointsWithExample) {
      const request = await goodRequest(endpoint, world, world.member);
      const { body } = await invoke(endpoint, request);
      const { email = "" } = (request.body ?? {}) as { email?: string };
      // Who signs in sees their own account, even if the request does not name it.
      const signedIn = body?.user?.authToken ? body.user.email : "";
      const secrets = [body?.user?.authToken, body?.challenge];
      const own = [email, signedIn, world.member.email, ...secrets].filter((each) => each);
      const text = own.reduce((rest, each) => rest.replaceAll(each, ""), JSON.stringify(body ?? null));
      expect(leakInLog(text), endpoint.definition.name).toBeUndefined();
    }
  });
});
