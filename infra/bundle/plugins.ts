import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
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
const LOADED_ON_DEMAND =
  /^@aws-sdk\/credential-provider-(http|ini|login|process|sso|web-identity)$|^@smithy\/credential-provider-imds$|^@smithy\/core\/event-streams$/;

/** Leaves out what the SDK loads on demand and a function never needs. Loading it all the same throws an error that says so. */
export const withoutOnDemand: Plugin = {
  name: "without-on-demand",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: LOADED_ON_DEMAND }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, namespace: "without-on-demand" } : undefined,
    );
    onLoad({ filter: /./, namespace: "without-on-demand" }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not in this bundle: infra/bundle/plugins.ts`)})`,
    }));
  },
};

/** Modules that packages load at once and no function uses, by their path in node_modules. */
export const UNUSED = [
  // A cache of discovered endpoints, which DynamoDB does not have.
  "@aws-sdk/endpoint-cache/dist-es/EndpointCache.js",
  // A hash in JavaScript, for a runtime without one.
  "@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js",
  // Signatures of event streams.
  "@smithy/signature-v4/dist-es/HeaderFormatter.js",
  // Adaptive retries, and a search for the region where it is not in the environment: both have to be asked for.
  "@smithy/core/dist-es/submodules/retry/util-retry/AdaptiveRetryStrategy.js",
  "@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js",
  // Paginators, and what S3 wants of an endpoint.
  "@aws-sdk/lib-dynamodb/dist-es/pagination/QueryPaginator.js",
  "@aws-sdk/lib-dynamodb/dist-es/pagination/ScanPaginator.js",
  "@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/service-customizations/s3.js",
  // What else a client could state a preference for.
  "negotiator/lib/charset.js",
  "negotiator/lib/language.js",
  "negotiator/lib/mediaType.js",
  // Middleware that lib/table/client.ts takes out of its client, and others do not need either.
  "@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js",
  "@aws-sdk/core/dist-es/submodules/client/middleware-recursion-detection/getRecursionDetectionPlugin.js",
  "@aws-sdk/core/dist-es/submodules/client/middleware-user-agent/user-agent-middleware.js",
  // Warnings of versions of Node that are too old.
  "@aws-sdk/core/dist-es/submodules/client/emitWarningIfUnsupportedVersion.js",
  "@smithy/core/dist-es/submodules/client/smithy-client/emitWarningIfUnsupportedVersion.js",
];

// Lambda hands over credentials in the environment. The provider that looks everywhere gives way to the one that looks there.
const CREDENTIALS = "@aws-sdk/credential-provider-node/dist-es/index.js";
const FROM_ENVIRONMENT = 'export { fromEnv as defaultProvider } from "@aws-sdk/credential-provider-env";';

// Errors of backups, exports, imports, replicas and tables: what reads and writes items is never answered so. An error that is not
// registered is thrown all the same, under its name.
const OTHER_ERRORS =
  /^n0_registry\.registerError\((Backup|ContinuousBackups|Export|GlobalTable|Import|Index|InvalidExport|InvalidRestore|PointInTime|Policy|Replica(?!ted)|ResourceInUse|Table)\w*\$, \w+\);$/gm;

/** The client's schemas with the registrations of errors that reads and writes of items can meet. */
export function withItemErrors(schemas: string): string {
  return schemas.replace(OTHER_ERRORS, "");
}

function endingIn(path: string): RegExp {
  return new RegExp(`/node_modules/${path.replaceAll(".", "\\.")}$`);
}

/** A module whose exports are those of another one, as empty functions; a plugin of an SDK client adds nothing to it. */
function stubOf(source: string): string {
  const names = [...source.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name = ""]) => name);
  if (names.length === 0) return "module.exports = {};";
  return names
    .map((name) => `export function ${name}() {${name.endsWith("Plugin") ? " return { applyToStack() {} }; " : ""}}`)
    .join("\n");
}

/** Puts stubs in the place of modules that no function uses. */
export const withoutUnused: Plugin = {
  name: "without-unused",
  setup({ onLoad }) {
    for (const module of UNUSED) {
      onLoad({ filter: endingIn(module) }, ({ path }) => ({ contents: stubOf(readFileSync(path, "utf8")) }));
    }
    onLoad({ filter: endingIn(CREDENTIALS) }, ({ path }) => ({
      contents: FROM_ENVIRONMENT,
      resolveDir: dirname(path),
    }));
    onLoad({ filter: endingIn("@aws-sdk/client-dynamodb/dist-es/schemas/schemas_0.js") }, ({ path }) => ({
      contents: withItemErrors(readFileSync(path, "utf8")),
    }));
    // Our clients have no extensions, which could change their settings.
    onLoad({ filter: /\/@aws-sdk\/client-[a-z0-9-]+\/dist-es\/runtimeExtensions\.js$/ }, () => ({
      contents: "export const resolveRuntimeExtensions = (settings) => settings;",
    }));
    // The SDK reads its version here.
    onLoad({ filter: /\/@aws-sdk\/client-[a-z0-9-]+\/package\.json$/ }, ({ path }) => ({
      contents: JSON.stringify({ version: JSON.parse(readFileSync(path, "utf8")).version }),
      loader: "json",
    }));
  },
};

/**
 * Marks the schemas of our own modules as free of side effects, so that a bundle holds those alone that its function uses: the calls of
 * zod, of the helpers that make schemas, and of what has a capital as schemas have.
 */
export const unusedSchemasFall: Plugin = {
  name: "unused-schemas-fall",
  setup({ onLoad }) {
    onLoad({ filter: OWN_MODULES }, ({ path }) => ({
      contents: withMarks(readFileSync(path, "utf8")),
      loader: "ts",
    }));
  },
};

/** The source of a module with a mark before each call that makes a schema. */
export function withMarks(source: string): string {
  return source.replace(SCHEMA_CALLS, "/* @__PURE__ */ ");
}

const OWN_MODULES = /\/(lib|functions)\/.*\.ts$/;
const SCHEMA_CALLS =
  /(?<![\w.$])(?<!function )(?=z\.[a-z_]\w*\(|(optional|readAs|pageSize|cursorQuery)\(|[A-Z]\w*[a-z]\w*(\.check)?\()/g;

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
