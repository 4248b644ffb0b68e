import { beforeAll, describe, expect, it } from "vitest";
import { handler as list } from "../../../functions/posts/list.ts";
import { handler as replaceStatuses } from "../../../functions/statuses/replace.ts";
import { eventOf, lambdaContext, textOf } from "../../support/http/invoke.ts";
import { aMember, aPost, aUser } from "../../support/world/fixtures.ts";

const ACCEPTS = { "accept-encoding": "gzip, deflate, br, zstd" };

beforeAll(async () => {
  const member = await aMember();
  for (let number = 0; number < 5; number++) await aPost(member, { title: `A post like others ${number}` });
});

function answerTo(headers: Record<string, string>, body = {}) {
  return list(eventOf(list, { headers, body }), lambdaContext());
}

describe("Compression", () => {
  it("sends the same body in a fraction of the bytes, as base64 for the gateway", async () => {
    const plain = await answerTo({});
    const compressed = await answerTo(ACCEPTS);
    expect(plain.isBase64Encoded).toBeUndefined();
    expect(plain.headers).not.toHaveProperty("Content-Encoding");
    expect(compressed).toMatchObject({ statusCode: 200, isBase64Encoded: true });
    expect(compressed.headers).toEqual({ ...plain.headers, "Content-Encoding": "gzip", Vary: "Accept-Encoding" });
    expect(textOf(compressed)).toBe(plain.body);
    expect(Buffer.from(compressed.body ?? "", "base64").length).toBeLessThan(0.5 * Buffer.byteLength(plain.body ?? ""));
  });

  it.each(["gzip", "br;q=1.0, gzip;q=0.5, *;q=0.1", "*", "GZIP"])("serves clients that accept %s", async (accepted) => {
    expect(await answerTo({ "accept-encoding": accepted })).toMatchObject({ isBase64Encoded: true });
  });

  it.each(["identity", "br", "gzip;q=0", "*;q=0", "gzip;q=0, *", "", "gzip;q=x", ",,;=;,", "gzipped"])(
    "skips clients that accept %s",
    async (accepted) => {
      const { statusCode, isBase64Encoded, body } = await answerTo({ "accept-encoding": accepted });
      expect({ statusCode, isBase64Encoded }).toEqual({ statusCode: 200, isBase64Encoded: undefined });
      expect(JSON.parse(body ?? "").posts).toHaveLength(5);
    },
  );

  it("applies to answers of more than 1 KB", async () => {
    const { isBase64Encoded, body = "" } = await answerTo(ACCEPTS, { limit: 1 });
    expect(body.length).toBeLessThanOrEqual(1024);
    expect(isBase64Encoded).toBeUndefined();
  });

  it("skips a client that forbids transformations", async () => {
    expect((await answerTo({ ...ACCEPTS, "cache-control": "no-transform" })).isBase64Encoded).toBeUndefined();
  });

  it("skips errors of any length: the log reads their code", async () => {
    const { token } = await aUser("owner");
    const body = { statuses: Array.from({ length: 20 }, () => ({ name: 1, color: 2, kind: 3 })) };
    const answer = await replaceStatuses(eventOf(replaceStatuses, { token, headers: ACCEPTS, body }), lambdaContext());
    expect(answer).toMatchObject({ statusCode: 400 });
    expect(answer.body?.length).toBeGreaterThan(1024);
    expect(JSON.parse(answer.body ?? "")).toMatchObject({ code: "VALIDATION_ERROR" });
  });
});
