import { resolve } from "node:path";
import type { Plugin } from "esbuild";

// Plugins that make a bundle start faster. docs/performance.md has the figures.

/**
 * Loads `node:http` and `node:https` with `process.getBuiltinModule`. An ESM import reads every export at once, the lazy one of
 * WebSocket included, which loads all of undici.
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

// The SDK loads these on demand: providers of credentials, which Lambda has in the environment, and event streams, which no operation
// of ours uses.
const UNUSED =
  /^@aws-sdk\/credential-provider-(http|ini|login|process|sso|web-identity)$|^@smithy\/credential-provider-imds$|^@smithy\/core\/event-streams$/;

/** Leaves out what the SDK loads on demand and a Lambda function never needs. Loading it all the same throws an error that says so. */
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
 * An alias: an import of `<name>-lazy.ts` takes `<name>.ts`. The lazy twin loads it on its first call, which spares the local server
 * and the tests an SDK client. In a bundle one `import()` makes esbuild wrap every module behind it in a function that is parsed twice.
 */
export const withoutLazyTwins: Plugin = {
  name: "without-lazy-twins",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/.*-lazy\.ts$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace("-lazy.ts", ".ts")),
    }));
  },
};
