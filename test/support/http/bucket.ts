import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { SignatureV4 } from "@smithy/signature-v4";
import { listen } from "./listen.ts";

// A bucket that takes requests as S3 does: it checks each signature with the SDK's own signer.

export const REGION = "eu-west-1";

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

const signer = (key: string) =>
  new SignatureV4({
    credentials: { accessKeyId: key, secretAccessKey: key },
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
async function isSigned({ method, url, headers, body }: Asked, key: string): Promise<boolean> {
  const query = Object.fromEntries(url.searchParams);
  const { hostname, port, pathname: path } = url;
  const request = { method, protocol: url.protocol, hostname, port: Number(port), path, query, headers: {}, body };
  const host = url.host;
  if (query["X-Amz-Signature"] !== undefined) {
    const own = Object.fromEntries(Object.entries(query).filter(([name]) => !name.startsWith("X-Amz-")));
    const unsigned = { ...request, query: own, headers: { host, "x-amz-content-sha256": "UNSIGNED-PAYLOAD" } };
    const signed = await signer(key).presign(unsigned, {
      signingDate: timeIn(query["X-Amz-Date"]),
      expiresIn: Number(query["X-Amz-Expires"]),
      unhoistableHeaders: new Set(["x-amz-content-sha256"]),
      unsignableHeaders: new Set(["x-amz-content-sha256"]),
    });
    return signed.query?.["X-Amz-Signature"] === query["X-Amz-Signature"];
  }
  const payload = createHash("sha256").update(body).digest("hex");
  const unsigned = { ...request, headers: { host, "x-amz-content-sha256": payload } };
  const signed = await signer(key).sign(unsigned, { signingDate: timeIn(headers["x-amz-date"]) });
  return signed.headers.authorization === headers.authorization;
}

type Answer = { status: number; body?: string | Buffer; headers?: Record<string, string> };

export class Bucket {
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

/** Starts a bucket for requests that are signed with a key, whose secret is the same text. */
export async function startBucket(key: string): Promise<{ bucket: Bucket; url: string; close: () => void }> {
  const bucket = new Bucket();
  const server = createServer(async (request, response) => {
    const { method = "", headers } = request;
    const url = new URL(request.url ?? "", `http://${headers.host}`);
    const asked = { method, url, headers: headers as Record<string, string>, body: await buffer(request) };
    const answer = (await isSigned(asked, key)) ? bucket.answer(asked) : { status: 400 };
    if (answer.status === 400) bucket.refused.push(`${method} ${request.url}`);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const port = await listen(server);
  return { bucket, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
