import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { SignatureV4 } from "@smithy/signature-v4";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { shelf } from "../../../lib/moving/own-shelf.ts";
import { UploadGone } from "../../../lib/moving/shelf.ts";
import { listen } from "../../support/http/listen.ts";
import { newContainer } from "../../support/setup.ts";

// A bucket that takes requests as S3 does: it checks each signature with the SDK's own signer.

const REGION = "eu-west-1";

class Sha256 {
  readonly #hash: { update(data: Uint8Array): unknown; digest(): Buffer };

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", secret as Uint8Array);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

const signer = new SignatureV4({
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  region: REGION,
  service: "s3",
  sha256: Sha256 as never,
  uriEscapePath: false,
});

type Asked = { method: string; url: URL; headers: Record<string, string>; body: Buffer };

function timeIn(text: string | null | undefined): Date {
  return new Date(String(text).replace(/(....)(..)(..T..)(..)(..)/, "$1-$2-$3:$4:$5"));
}

/** Whether a request is signed as the SDK would sign it, in a header or in its query. */
async function isSigned({ method, url, headers, body }: Asked): Promise<boolean> {
  const query = Object.fromEntries(url.searchParams);
  const { hostname, port, pathname: path } = url;
  const request = { method, protocol: url.protocol, hostname, port: Number(port), path, query, headers: {}, body };
  const host = url.host;
  if (query["X-Amz-Signature"] !== undefined) {
    const own = Object.fromEntries(Object.entries(query).filter(([name]) => !name.startsWith("X-Amz-")));
    const unsigned = { ...request, query: own, headers: { host, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" } };
    const signed = await signer.presign(unsigned, {
      signingDate: timeIn(query["X-Amz-Date"]),
      expiresIn: Number(query["X-Amz-Expires"]),
      unhoistableHeaders: new Set(["x-amz-content-sha256"]),
      unsignableHeaders: new Set(["x-amz-content-sha256"]),
    });
    return signed.query?.["X-Amz-Signature"] === query["X-Amz-Signature"];
  }
  const payload = createHash("sha256").update(body).digest("hex");
  const unsigned = { ...request, headers: { host, "x-amz-content-sha256": payload } };
  const signed = await signer.sign(unsigned, { signingDate: timeIn(headers["x-amz-date"]) });
  return signed.headers.authorization === headers.authorization;
}

type Answer = { status: number; body?: string | Buffer; headers?: Record<string, string> };

class Bucket {
  readonly objects = new Map<string, Buffer>();
  readonly uploads = new Map<string, Map<number, Buffer>>();
  readonly refused: string[] = [];

  answer({ method, url, body }: Asked): Answer {
    const id = url.searchParams.get("uploadId");
    if (method === "POST" && url.searchParams.has("uploads")) return this.#begin();
    if (id !== null && !this.uploads.has(id)) return { status: 404 };
    if (id !== null && method === "PUT") return this.#putPart(id, Number(url.searchParams.get("partNumber")), body);
    if (id !== null) return this.#complete(id, url.pathname, body.toString());
    if (method === "PUT") this.objects.set(url.pathname, body);
    if (method === "DELETE") this.objects.delete(url.pathname);
    const found = this.objects.get(url.pathname);
    if (method === "DELETE") return { status: 204 };
    // Who may not list is not told that an object is missing.
    return found ? { status: 200, body: method === "HEAD" ? "" : found } : { status: 403 };
  }

  #begin(): Answer {
    const id = `upload.${this.uploads.size}/+=`;
    this.uploads.set(id, new Map());
    return { status: 200, body: `<?xml version="1.0"?><R><UploadId>${id}</UploadId></R>` };
  }

  #putPart(id: string, number: number, body: Buffer): Answer {
    this.uploads.get(id)?.set(number, body);
    return { status: 200, headers: { etag: `"${createHash("md5").update(body).digest("hex")}"` } };
  }

  #complete(id: string, path: string, body: string): Answer {
    const parts = this.uploads.get(id);
    const named = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"(\w+)"<\/ETag>/g)];
    const contents = named.map(([, number]) => parts?.get(Number(number)) ?? Buffer.alloc(0));
    const isGood = named.every(
      ([, , tag], at) =>
        createHash("md5")
          .update(contents[at] ?? "")
          .digest("hex") === tag,
    );
    if (!isGood || named.length !== parts?.size) return { status: 200, body: "<Error>InvalidPart</Error>" };
    this.objects.set(path, Buffer.concat(contents));
    this.uploads.delete(id);
    return { status: 200, body: "<CompleteMultipartUploadResult/>" };
  }
}

let bucket: Bucket;
let close: () => void;

beforeEach(async () => {
  bucket = new Bucket();
  const server = createServer(async (request, response) => {
    const { method = "", headers } = request;
    const url = new URL(request.url ?? "", `http://${headers.host}`);
    const asked = { method, url, headers: headers as Record<string, string>, body: await buffer(request) };
    const answer = (await isSigned(asked)) ? bucket.answer(asked) : { status: 400 };
    if (answer.status === 400) bucket.refused.push(`${method} ${request.url}`);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const port = await listen(server);
  close = () => server.close();
  newContainer({ EXPORT_BUCKET_URL: `http://127.0.0.1:${port}`, AWS_REGION: REGION, DYNAMODB_ENDPOINT: "" });
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
