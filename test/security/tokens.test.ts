import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import * as tokens from "../../lib/auth/tokens.ts";
import { requiresToken } from "../../lib/http/definition.ts";
import { invoke, refusal, success } from "../support/http/invoke.ts";
import { writesIn } from "../support/store/calls.ts";
import { aWorld, endpointsWithExample, exampleOf, expectAnswer, type World } from "../support/world/examples.ts";
import { generated } from "../support/world/generated.ts";
import { anyString } from "./any-string.ts";
import { type Forged, forgedKeys, forgedTokens, forgeOf } from "./corpus.ts";

// docs/guarantees.md#promises: forged, expired and foreign tokens, `alg: none`, wrong typ, iss, aud, keys in the
// header.

let world: World;
let corpus: Forged[];

beforeAll(async () => {
  world = await aWorld();
  corpus = [...(await forgedTokens(world.owner)), ...(await forgedKeys())];
});

const bearer = endpointsWithExample.filter(({ endpoint }) => requiresToken(endpoint.definition));
const optional = endpointsWithExample.filter(({ endpoint }) => endpoint.definition.access === "optional");
const open = endpointsWithExample.filter(({ endpoint }) => endpoint.definition.access === "public");

describe("the corpus of bad tokens", () => {
  it("comes from code that also makes a valid token", async () => {
    const { header, claims, sign } = await forgeOf(world.owner);
    success(await invoke("boards-list", { token: sign(header, claims) }), 200);
    success(await invoke("boards-list", { token: sign({ ...header, x: 1 }, { ...claims, x: 1 }) }), 200);
  });
});

describe("a bad token", () => {
  it.each(bearer)("fails at $name with INVALID_TOKEN, an eighth of them at each endpoint", async ({ endpoint }) => {
    // Each token meets an eighth of these endpoints.
    const first = bearer.findIndex((each) => each.endpoint === endpoint) % 8;
    for (const { what, token } of corpus.filter((_, n) => n % 8 === first)) {
      const reply = await invoke(endpoint, { token });
      expect(reply.body.code, what).toBe("INVALID_TOKEN");
      expect(writesIn(reply), what).toEqual([]);
      refusal(reply, "INVALID_TOKEN");
    }
  });

  it.each(optional)("gets from $name the answer to a call without a token", async ({ endpoint }) => {
    const request = await exampleOf(endpoint).make(world);
    const anonymous = await invoke(endpoint, request);
    // All of these endpoints together meet every token.
    const first = optional.findIndex((each) => each.endpoint === endpoint);
    const step = optional.length;
    for (const { what, token } of corpus.filter((_, n) => n % step === first)) {
      const reply = await invoke(endpoint, { ...request, token });
      expect(reply.status, what).toEqual(anonymous.status);
      expect(reply.body, what).toEqual(anonymous.body);
      expect(writesIn(reply), what).toEqual([]);
    }
  });

  it.each(open)("passes at $name, which is public", async ({ endpoint }) => {
    const request = await exampleOf(endpoint).make(world);
    expectAnswer(endpoint, await invoke(endpoint, { ...request, token: corpus[0]?.token }));
  });
});

/** Whether two tokens differ in nothing but the unused bits of the signature's last character. */
function isSame(a: string, b: string): boolean {
  const [headA, payloadA, signatureA = ""] = a.split(".");
  const [headB, payloadB, signatureB = "", ...rest] = b.split(".");
  const bytes = (text: string) => Buffer.from(text, "base64url").toString("hex");
  return headA === headB && payloadA === payloadB && rest.length === 0 && bytes(signatureA) === bytes(signatureB);
}

type Change = { at: number; kind: string; text: string };

function change(token: string, { at, kind, text }: Change): string {
  const place = at % token.length;
  if (kind === "replace") return token.slice(0, place) + text + token.slice(place + 1);
  if (kind === "insert") return token.slice(0, place) + text + token.slice(place);
  if (kind === "delete") return token.slice(0, place) + token.slice(place + 1 + (at % 7));
  return token.slice(0, place) + [...token.slice(place, place + 8)].reverse().join("") + token.slice(place + 8);
}

describe("a random header", () => {
  generated("never holds a valid token after a change of one", async ({ seed, times }) => {
    const good = world.owner.token;
    const aChange = fc.record({
      at: fc.nat(good.length * 7),
      kind: fc.constantFrom("replace", "insert", "delete", "reverse"),
      text: fc.oneof(fc.constantFrom("A", "-", "_", ".", "=", "+", "/", "e30", "\u00e9"), fc.string({ maxLength: 3 })),
    });
    const changes = fc.array(aChange, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const token = list.reduce(change, good);
        fc.pre(!isSame(good, token));
        expect(await tokens.verify(token)).toBeUndefined();
      }),
      { seed, numRuns: times(2000) },
    );
  });

  generated("gets a 401, and no other status", async ({ seed, times }) => {
    const header = fc.oneof(
      anyString(60),
      fc.string({ maxLength: 40 }).map((text) => `Bearer ${text}`),
      fc.constantFrom("Bearer", "bearer\t", "Bearer\u00a0x", "Bearer\nx", "Bearer x,Bearer y", "Digest x", "Token x"),
    );
    await fc.assert(
      fc.asyncProperty(header, async (authorization) => {
        const reply = await invoke("boards-list", { headers: { authorization } });
        const trimmed = authorization.trim();
        const format = /^bearer[ \t]+[^ \t]+$/i.test(trimmed) ? "INVALID_TOKEN" : "INVALID_AUTH_HEADER_FORMAT";
        refusal(reply, trimmed === "" ? "INVALID_AUTH_HEADER" : format);
      }),
      { seed, numRuns: times(300) },
    );
  });
});
