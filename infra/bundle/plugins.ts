import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Plugin } from "esbuild";

/**
 * Loads `node:http` and `node:https` with `process.getBuiltinModule`: a start takes a tenth less. An ESM import
 * evaluates every export, also the lazy WebSocket, which loads all of undici.
 */
export const lazyHttp: Plugin = {
  name: "lazy-http",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?https?$/ }, ({ path }) => ({
      path: path.replace(/^(node:)?/, "node:"),
      namespace: "lazy-http",
    }));
    onLoad({ filter: /./, namespace: "lazy-http" }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }));
  },
};

/** What the SDK loads on demand and no function needs: event streams. Outside of a bundle they save 19 KB of it. */
const LOADED_ON_DEMAND = ["@smithy/core/event-streams"];

/** Modules that the SDK loads and no function uses, with their stubs. Each saves 3 KB of a bundle or more. */
export const STUBS: Record<string, string> = {
  // 7.7 KB: a cache of discovered endpoints, which DynamoDB does not have.
  "@aws-sdk/endpoint-cache/dist-es/EndpointCache.js": "export class EndpointCache {}",
  // 9.5 KB: its signer, and 15 KB: its rules of endpoints. lib/runtime/aws.ts takes their place.
  "@smithy/signature-v4/dist-es/SignatureV4.js": "export class SignatureV4 {}",
  "@aws-sdk/client-dynamodb/dist-es/endpoint/endpointResolver.js": "export const defaultEndpointResolver = undefined;",
  "@aws-sdk/client-secrets-manager/dist-es/endpoint/endpointResolver.js":
    "export const defaultEndpointResolver = undefined;",
  // The client also asks it for special ways to sign: none.
  "@aws-sdk/client-sesv2/dist-es/endpoint/endpointResolver.js": "export const defaultEndpointResolver = () => ({});",
  // 7.6 KB: its HTTP handler. lib/runtime/http-handler.ts takes its place.
  "@smithy/node-http-handler/dist-es/index.js":
    'export { streamCollector } from "@smithy/core/serde"; export const NodeHttpHandler = { create: (given) => given };',
  // 3.9 KB: a search for credentials, which Lambda has in the environment.
  "@aws-sdk/credential-provider-node/dist-es/index.js":
    'export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";',
  // 3.4 KB: retries that a client has to ask for.
  "@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js": "export class AdaptiveRetryStrategy {}",
  // 3.3 KB: a hash for runtimes without one.
  "@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js": "export class Sha256Js {}",
  // 3.2 KB: middleware that lib/table/client.ts takes out of its client, and the other clients do not need either.
  "@aws-sdk/core/dist-es/submodules/client/middleware-recursion-detection/getRecursionDetectionPlugin.js":
    "export const getRecursionDetectionPlugin = () => ({ applyToStack() {} });",
};

export const lightSdk: Plugin = {
  name: "light-sdk",
  setup({ initialOptions, onLoad }) {
    initialOptions.external = LOADED_ON_DEMAND;
    for (const [module, contents] of Object.entries(STUBS)) {
      const filter = new RegExp(`/node_modules/${module.replaceAll(".", "\\.")}$`);
      onLoad({ filter }, ({ path }) => ({ contents, resolveDir: dirname(path) }));
    }
    // 4.5 KB: all but its version, which the SDK sends with each request.
    onLoad({ filter: /\/@aws-sdk\/client-[a-z0-9-]+\/package\.json$/ }, ({ path }) => ({
      contents: JSON.stringify({ version: JSON.parse(readFileSync(path, "utf8")).version }),
      loader: "json",
    }));
  },
};
