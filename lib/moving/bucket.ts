import { queryText, signerFor } from "../runtime/aws.ts";
import { fromEnvironment } from "../runtime/environment.ts";
import { documentClient } from "../table/client.ts";
import { LINK_SECONDS, type Shelf, UploadGone } from "./shelf.ts";

// What exports need of S3's API, without its client, which is larger than the rest of a function.

const TIMEOUT_MS = 15_000;

const signer = fromEnvironment(({ AWS_REGION }) =>
  signerFor("s3", AWS_REGION, () => documentClient().config.credentials()),
);

type Call = { method: string; name: string; query?: Record<string, string>; body?: string | Buffer };

/** The bucket at a URL. */
export function bucketAt(url: string): Shelf {
  const { host, origin, pathname } = new URL(url);
  const pathOf = (name: string) => `${pathname.replace(/\/$/, "")}/${name}`;

  async function call({ method, name, query = {}, body }: Call): Promise<Response> {
    const path = pathOf(name);
    const request = { method, path, query, headers: { host }, ...(body !== undefined && { body }) };
    const { headers } = await signer().sign(request);
    const sent = { method, headers, ...(body !== undefined && { body: body as string | Buffer<ArrayBuffer> }) };
    return fetch(`${origin}${path}?${queryText(query)}`, { ...sent, signal: AbortSignal.timeout(TIMEOUT_MS) });
  }

  /** A call that has to succeed. The answer's text names no person. */
  async function must(given: Call): Promise<Response> {
    const answer = await call(given);
    if (answer.status === 404) throw new UploadGone(`${given.method} ${given.name}: S3 answers 404`);
    if (!answer.ok) throw new Error(`${given.method} ${given.name}: S3 answers ${answer.status}`);
    return answer;
  }

  return {
    put: async (name, body) => {
      await must({ method: "PUT", name, body });
    },
    get: async (name) => {
      const answer = await call({ method: "GET", name });
      if (isMissing(answer)) return undefined;
      if (!answer.ok) throw new Error(`GET ${name}: S3 answers ${answer.status}`);
      return Buffer.from(await answer.arrayBuffer());
    },
    remove: async (name) => {
      await must({ method: "DELETE", name });
    },
    removeLost: async () => {},
    begin: async (name) => {
      const text = await (await must({ method: "POST", name, query: { uploads: "" } })).text();
      const [, id] = /<UploadId>([^<]+)<\/UploadId>/.exec(text) ?? [];
      if (!id) throw new Error("S3 began no upload");
      return id;
    },
    putPart: async ({ name, id }, number, body) => {
      const query = { partNumber: String(number), uploadId: id };
      const answer = await must({ method: "PUT", name, query, body });
      return answer.headers.get("etag") ?? "";
    },
    complete: async ({ name, id }, tags) => {
      const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
      const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
      const answer = await call({ method: "POST", name, query: { uploadId: id }, body });
      // S3 may answer 200 first and say within the answer that it failed.
      if (answer.ok && !(await answer.text()).includes("<Error>")) return;
      // An earlier call has completed it.
      if (answer.status === 404 && (await call({ method: "HEAD", name })).ok) return;
      if (answer.status === 404) throw new UploadGone("the upload is gone");
      throw new Error(`the upload was not completed: S3 answers ${answer.status}`);
    },
    linkTo: async (name, as) => {
      const query = { "response-content-disposition": `attachment; filename="${as}"` };
      const path = pathOf(name);
      return `${origin}${path}?${await signer().queryOfLink({ host, path, query }, LINK_SECONDS)}`;
    },
  };
}

/** S3 answers 403 for a missing object to who may not list. */
function isMissing({ status }: Response): boolean {
  return status === 404 || status === 403;
}
