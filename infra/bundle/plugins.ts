import { resolve } from "node:path";
import type { Plugin } from "esbuild";

// What makes a bundle start faster; the figures stand in docs/performance.md.

/**
 * Takes `node:http` and `node:https` by way of `process.getBuiltinModule`: an ESM import of them reads every export at once,
 * the lazy ones of WebSocket included, which loads all of undici.
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

// Loaded by the SDK on demand only: credentials from other places than the environment, where Lambda puts them, and event
// streams, which no operation of ours has.
const UNUSED =
  /^@aws-sdk\/credential-provider-(http|ini|login|process|sso|web-identity)$|^@smithy\/credential-provider-imds$|^@smithy\/core\/event-streams$/;

/** Leaves out what the SDK would load on demand and a Lambda function never needs; whoever needs it is told so. */
export const withoutUnused: Plugin = {
  name: "without-unused",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: UNUSED }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, namespace: "without-unused" } : undefined,
    );
    onLoad({ filter: /./, namespace: "without-unused" }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not in this bundle: infra/bundle/plugins.ts`)})`,
    }));
  },
};

/**
 * Takes `<name>.ts` where our sources import `<name>-lazy.ts`, its twin that loads it on the first call for the sake of the local
 * server and the tests. One `import()` makes esbuild wrap every module behind it, the whole SDK, in a function that is parsed twice.
 */
export const withoutLazyTwins: Plugin = {
  name: "without-lazy-twins",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/.*-lazy\.ts$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace("-lazy.ts", ".ts")),
    }));
  },
};
