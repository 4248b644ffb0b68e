import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { shelf } from "../../../lib/moving/own-shelf.ts";
import { UploadGone } from "../../../lib/moving/shelf.ts";
import { type Bucket, REGION, startBucket } from "../../support/http/bucket.ts";
import { newContainer } from "../../support/setup.ts";

let bucket: Bucket;
let close: () => void;

beforeEach(async () => {
  const started = await startBucket("test");
  ({ bucket, close } = started);
  newContainer({ EXPORT_BUCKET_URL: started.url, AWS_REGION: REGION, DYNAMODB_ENDPOINT: "" });
});

afterEach(() => close());

describe("The bucket of exports", () => {
  it("keeps, returns and removes objects", async () => {
    const content = Buffer.from("Grüße\n");
    await shelf().put("an-id/rest-0", content);
    expect(await shelf().get("an-id/rest-0")).toEqual(content);
    await shelf().remove("an-id/rest-0");
    expect(await shelf().get("an-id/rest-0")).toBeUndefined();
    expect(bucket.refused).toEqual([]);
  });

  it("makes a file of its parts, once, however often it is asked to", async () => {
    const name = "an-id/site.jsonl";
    const upload = { name, id: await shelf().begin(name) };
    const tags = [];
    for (const [at, text] of ["one\n", "two\n", "three\n"].entries())
      tags.push(await shelf().putPart(upload, at + 1, Buffer.from(text)));
    await expect(shelf().complete(upload, tags.toReversed())).rejects.toThrow("was not completed");
    for (let time = 0; time < 2; time++) await shelf().complete(upload, tags);
    expect(bucket.objects.get(`/${name}`)?.toString()).toBe("one\ntwo\nthree\n");
    expect(bucket.refused).toEqual([]);
  });

  it("leads to a file by a link that is signed for a minute", async () => {
    await shelf().put("an-id/site.jsonl", Buffer.from("lines"));
    const link = await shelf().linkTo("an-id/site.jsonl", "site-2026-11-26.jsonl");
    const { searchParams } = new URL(link);
    expect(searchParams.get("X-Amz-Expires")).toBe("60");
    expect(searchParams.get("response-content-disposition")).toBe('attachment; filename="site-2026-11-26.jsonl"');
    expect(await (await fetch(link)).text()).toBe("lines");
    expect((await fetch(link.replace("site.jsonl?", "rest-0?"))).status).toBe(400);
  });

  it("says that an upload is gone", async () => {
    const upload = { name: "an-id/site.jsonl", id: "gone" };
    await expect(shelf().putPart(upload, 1, Buffer.from("x"))).rejects.toThrow(UploadGone);
    await expect(shelf().complete(upload, ['"x"'])).rejects.toThrow(UploadGone);
  });
});
