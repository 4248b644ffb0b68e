import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";

// Replaces the SDK's signer and its endpoint rules, which take a fifth of the time of a call.

type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

type Request = { method: string; path: string; headers: Record<string, string>; body?: string };

const ALGORITHM = "AWS4-HMAC-SHA256";

// Changed on the way, so the SDK signs neither. It writes the second one, for Lambda, in its own case.
const UNSIGNED = /^(user-agent|x-amzn-trace-id)$/i;

function hmac(key: Buffer | KeyObject, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** Signs requests without a query byte for byte as the SDK (Signature Version 4), and keeps the key of the day. */
export function signerFor(service: string, region: string, credentials: () => Promise<Credentials>) {
  let kept: { of: string; key: KeyObject } | undefined;
  const keyOf = (secret: string, scope: string[]): KeyObject => {
    const of = [secret, ...scope].join("/");
    if (kept?.of !== of) kept = { of, key: createSecretKey(scope.reduce(hmac, Buffer.from(`AWS4${secret}`))) };
    return kept.key;
  };
  return {
    async sign<R extends Request>(request: R, { signingDate }: { signingDate?: Date | string | number } = {}) {
      const { accessKeyId, secretAccessKey, sessionToken } = await credentials();
      const time = new Date(signingDate ?? Date.now()).toISOString().replace(/[-:]|\.\d+/g, "");
      const scope = [time.slice(0, 8), region, service, "aws4_request"];
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
      const canonical = [request.method, request.path, "", ...lines, "", names, payload].join("\n");
      const text = [ALGORITHM, time, scope.join("/"), hash("sha256", canonical)].join("\n");
      const signature = hmac(keyOf(secretAccessKey, scope), text).toString("hex");
      const credential = [accessKeyId, ...scope].join("/");
      const authorization = `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
      return Object.assign(request, { headers: { ...headers, authorization } });
    },
  };
}

/** The endpoint of a service in a region, or the one that the SDK was configured with. */
export function endpointOf(service: string) {
  return ({ Endpoint, Region }: { Endpoint?: string | undefined; Region?: string | undefined }) => ({
    url: new URL(Endpoint ?? `https://${service}.${Region}.amazonaws.com`),
  });
}
