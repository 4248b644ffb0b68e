import { describe, expect, it } from "vitest";
import { GLOBALS, Program } from "../simulator/scheduler/program.ts";
import { sharedService } from "./shared-program.ts";
import { World } from "./world/world.ts";

describe("the functions in a simulation", () => {
  it("read no global that has the real time", async () => {
    const free = new Set<string>();
    const watched = new Proxy(
      {},
      {
        has: (_, name) => {
          if (typeof name === "string" && !(GLOBALS as readonly string[]).includes(name)) free.add(name);
          return false;
        },
      },
    );
    // Around the strict program stands sloppy code that looks up every free name in `watched` first.
    const code = `with (watched) { (function () { ${(await sharedService()).code} })(); }`;
    Object.assign(globalThis, { watched });
    const { must, complete } = new World({ seed: 6, program: new Program(code) });
    const account = { email: "owner@example.com", password: "correct horse battery staple" };
    const { authToken: token } = (await complete(must("auth-set-up", { body: account }))).user;
    const { postId } = (await complete(must("posts-create", { token, body: { title: "A post" } }))).post;
    await complete(must("votes-add", { token, body: { postId } }));
    Reflect.deleteProperty(globalThis, "watched");
    // These tell no time and no random numbers, and reach nobody. Look at a new one before you add it.
    const harmless = new Set(
      `AbortController Array ArrayBuffer BigInt Blob Boolean Buffer Error Function Infinity Int32Array JSON Map Number Object
      Promise ReadableStream Reflect RegExp Set String Symbol TextDecoder TextEncoder URL Uint16Array Uint8Array WeakMap WeakSet
      atob btoa encodeURIComponent navigator parseInt structuredClone`.split(/\s+/),
    );
    expect([...free].filter((name) => !harmless.has(name))).toEqual([]);
  });
});
