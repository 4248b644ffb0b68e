import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";

// Replaces the SDK's signer and its endpoint rules, which take a fifth of the time of a call.

type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

type Query = Record<string, string | string[] | null>;

type Request = {
  method: string;
  path: string;
  query?: Query;
  headers: Record<string, string>;
  body?: string | Buffer;
};

const ALGORITHM = "AWS4-HMAC-SHA256";

// Changed on the way, so the SDK signs neither. It writes the second one, for Lambda, in its own case.
const UNSIGNED = /^(user-agent|x-amzn-trace-id)$/i;

function encoded(text: string): string {
  const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, percent);
}

/** A query as it is signed and sent. */
export function queryText(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value ?? ""].flat().map((each) => [name, each]));
  return pairs
    .map((pair) => pair.map(encoded).join("="))
    .sort()
    .join("&");
}

function hmac(key: Buffer | KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function timeText(date: Date | string | number = Date.now()): string {
  return new Date(date).toISOString().replace(/[-:]|\.\d+/g, "");
}

/** Signs requests byte for byte as the SDK (Signature Version 4), and keeps the key of the day. */
export function signerFor(service: string, region: string, credentials: () => Promise<Credentials>) {
  let kept: { of: string; key: KeyObject } | undefined;
  const keyOf = (secret: string, scope: string[]): KeyObject => {
    const of = [secret, ...scope].join("/");
    if (kept?.of !== of) kept = { of, key: createSecretKey(scope.reduce(hmac, Buffer.from(`AWS4${secret}`))) };
    return kept.key;
  };
  const signature = (secret: string, time: string, scope: string[], canonical: string[]): string => {
    const text = [ALGORITHM, time, scope.join("/"), hash("sha256", canonical.join("\n"))].join("\n");
    return hmac(keyOf(secret, scope), text).toString("hex");
  };
  const scopeAt = (time: string) => [time.slice(0, 8), region, service, "aws4_request"];
  return {
    async sign<R extends Request>(request: R, { signingDate }: { signingDate?: Date | string | number } = {}) {
      const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
      const time = timeText(signingDate);
      const scope = scopeAt(time);
      const payload = hash("sha256", request.body ?? "");
      // An earlier attempt has also signed the request.
      const { authorization: _, ...given } = request.headers;
      const headers: Record<string, string> = {
        ...given,
        "x-amz-date": time,
        "x-amz-content-sha256": payload,
        ...(sessionToken && { "x-amz-security-token": sessionToken }),
      };
      const signed = Object.keys(headers).filter((name) => !UNSIGNED.test(name));
      const names = signed.sort().join(";");
      const lines = signed.map((name) => `${name}:${headers[name]}`);
      const query = queryText(request.query ?? {});
      const canonical = [request.method, request.path, query, ...lines, "", names, payload];
      const made = signature(secretAccessKey, time, scope, canonical);
      const credential = [accessKeyId, ...scope].join("/");
      const authorization = `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${made}`;
      return Object.assign(request, { headers: { ...headers, authorization } });
    },
    /** The query of a link that reads this path of a host without further rights, for some seconds. */
    async queryOfLink(
      { host, path, query = {} }: { host: string; path: string; query?: Query },
      seconds: number,
      signingDate?: Date,
    ): Promise<string> {
      const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
      const time = timeText(signingDate);
      const scope = scopeAt(time);
      const whole = {
        ...query,
        "X-Amz-Algorithm": ALGORITHM,
        "X-Amz-Credential": [accessKeyId, ...scope].join("/"),
        "X-Amz-Date": time,
        "X-Amz-Expires": String(seconds),
        "X-Amz-SignedHeaders": "host",
        ...(sessionToken && { "X-Amz-Security-Token": sessionToken }),
      };
      const canonical = ["GET", path, queryText(whole), `host:${host}`, "", "host", "UNSIGNED-PAYLOAD"];
      return queryText({ ...whole, "X-Amz-Signature": signature(secretAccessKey, time, scope, canonical) });
    },
  };
}

/** The endpoint of a service in a region, or the one that the SDK was configured with. */
export function endpointOf(service: string) {
  return ({ Endpoint, Region }: { Endpoint?: string | undefined; Region?: string | undefined }) => ({
    url: new URL(Endpoint ?? `https://${service}.${Region}.amazonaws.com`),
  });
}
