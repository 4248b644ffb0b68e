// npm run construct: packs FeedbackBoard for CDK apps of others, with the bundles of all functions and the portal.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import packageJson from "../../package.json" with { type: "json" };
import { buildCards, buildPortal } from "../../portal/build.ts";
import { bundleAll } from "../bundle/bundle.ts";
import { writeFiles } from "../stack/portal-files.ts";
import { readCommandLine } from "../usage.ts";

const root = join(import.meta.dirname, "../..");
const DIST = join(root, "dist");
const BUILT = join(DIST, "construct");
const SOURCE = join(root, "infra/stack");

/** The packages of the app that uses the construct: there is one CDK in an app. */
const PEERS = ["aws-cdk-lib", "constructs"] as const;

const manifest = {
  name: "feedback-board-cdk",
  version: packageJson.version,
  description: "Feedback Board as a construct of the AWS CDK",
  license: packageJson.license,
  type: "module",
  exports: { ".": { types: "./feedback-board.d.ts", default: "./index.js" } },
  peerDependencies: Object.fromEntries(PEERS.map((name) => [name, `^${packageJson.devDependencies[name]}`])),
};

function run(command: string, ...words: string[]): string {
  return execFileSync(command, words, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

/** The construct as one file, with all that the stack is made from: endpoints, rights, routes. */
async function buildCode(): Promise<void> {
  await build({
    entryPoints: [join(SOURCE, "feedback-board.ts")],
    outfile: join(BUILT, "index.js"),
    bundle: true,
    platform: "node",
    target: "node22",
    format: "esm",
    mainFields: ["module", "main"],
    external: PEERS.flatMap((name) => [name, `${name}/*`]),
    // Some dependencies of the functions are CommonJS.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
}

/** The types of the construct and of its properties, which name nothing else of this repository. */
function buildTypes(): void {
  const types = join(DIST, "construct-types");
  const project = join(types, "tsconfig.json");
  mkdirSync(types, { recursive: true });
  // The construct and what it imports, not the whole repository.
  const files = [join(SOURCE, "feedback-board.ts")];
  writeFileSync(project, JSON.stringify({ extends: join(root, "tsconfig.json"), files, include: [] }));
  // npm run check has checked them.
  const options = ["--declaration", "--emitDeclarationOnly", "--stripInternal", "--noEmit", "false", "--noCheck"];
  const folders = ["--incremental", "false", "--rootDir", root, "--outDir", types];
  run(join(root, "node_modules/.bin/tsc"), "-p", project, ...folders, ...options);
  for (const name of ["feedback-board", "props"]) {
    const text = readFileSync(join(types, `infra/stack/${name}.d.ts`), "utf8");
    writeFileSync(join(BUILT, `${name}.d.ts`), text.replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  }
  rmSync(types, { recursive: true });
}

async function packConstruct(): Promise<string> {
  rmSync(BUILT, { recursive: true, force: true });
  mkdirSync(BUILT, { recursive: true });
  const functions = join(BUILT, "functions");
  await bundleAll();
  cpSync(join(DIST, "functions"), functions, { recursive: true });
  writeFiles(functions, await buildPortal(join(functions, "portal/index.mjs")));
  await buildCards(join(functions, "cards/index.mjs"));
  await buildCode();
  buildTypes();
  writeFileSync(join(BUILT, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  return join(DIST, run("npm", "pack", BUILT, "--pack-destination", DIST, "--silent").trim());
}

readCommandLine("npm run construct");
console.log(`The construct, for npm install <file>: ${await packConstruct()}`);
