import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { backgroundFunctions } from "../../functions/background/index.ts";
import { documentFunctions } from "../../functions/documents/index.ts";
import { groups } from "../../functions/index.ts";
import { scheduledFunctions } from "../../functions/scheduled/index.ts";
import { lazyHttp, lightSdk } from "./plugins.ts";

const root = resolve(import.meta.dirname, "../..");

/** The bundle of a function. `inputs` are its bytes by module (a path from the project's root). */
export type Bundle = { name: string; file: string; bytes: number; inputs: Record<string, number> };

/** The source file of each function, by its name; `group:<name>` for a group, whose code is generated. */
export function entryFiles(): Record<string, string> {
  return Object.fromEntries([
    // An endpoint that is alone is the function itself.
    ...groups.map(({ name, endpoints: [first] }) => [
      name,
      name === first?.definition.name ? moduleOf(name) : `group:${name}`,
    ]),
    ...backgroundFunctions.map(({ definition: { name } }) => [name, `functions/background/${name}.ts`]),
    ...scheduledFunctions.map((name) => [name, `functions/scheduled/${name}.ts`]),
    ...Object.keys(documentFunctions).map((name) => [name, `functions/documents/${name}.ts`]),
  ]);
}

function moduleOf(name: string): string {
  return `functions/${name.replace("-", "/")}.ts`;
}

/** The module `group:<name>`: the handler of a group, with the endpoints of that group alone. */
const groupModules: Plugin = {
  name: "groups",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.replace("group:", ""), namespace: "group" }));
    onLoad({ filter: /./, namespace: "group" }, ({ path }) => {
      const members = groups.find(({ name }) => name === path)?.endpoints ?? [];
      const files = members.map(({ definition: { name } }) => `./${moduleOf(name)}`);
      const contents = [
        `import { defineGroup } from ${JSON.stringify("./lib/group.ts")};`,
        ...files.map((file, at) => `import { handler as member${at} } from ${JSON.stringify(file)};`),
        `export const handler = defineGroup("${path}", [${files.map((_, at) => `member${at}`)}]);`,
      ].join("\n");
      return { contents, resolveDir: root };
    });
  },
};

/** How every function is bundled. docs/costs.md#the-functions tells what each choice is worth. */
const bundleOptions = {
  absWorkingDir: root,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  target: "node24",
  format: "esm",
  mainFields: ["module", "main"],
  minify: true,
  legalComments: "none",
  plugins: [groupModules, lazyHttp, lightSdk],
} satisfies BuildOptions;

// esbuild keeps its output in memory until it has finished: all functions together take 1.2 GB, 12 together a third.
const BATCH_SIZE = 12;

/** Bundles functions into `<outDir>/<name>/index.mjs`, their source maps into `<outDir>-maps/<name>.map`. */
export async function bundleAll(outDir = "dist/functions", entryPoints = entryFiles()): Promise<Bundle[]> {
  const folder = resolve(root, outDir);
  const maps = `${folder}-maps`;
  const entries = Object.entries(entryPoints);
  const files = new Map<string, Uint8Array>();
  const bundles: Bundle[] = [];
  for (let at = 0; at < entries.length; at += BATCH_SIZE) {
    const { outputFiles, metafile } = await buildBatch(entries.slice(at, at + BATCH_SIZE), folder);
    for (const { path, contents } of outputFiles) {
      // Outside of the bundle's folder, which is deployed whole.
      files.set(path.endsWith(".map") ? join(maps, `${basename(dirname(path))}.map`) : path, contents);
    }
    bundles.push(...bundlesOf(metafile));
  }
  removeOthers(folder, files);
  removeOthers(maps, files);
  for (const [file, contents] of files) write(file, contents, maps);
  return bundles;
}

function buildBatch(entries: [name: string, file: string][], outdir: string) {
  return build({
    ...bundleOptions,
    entryPoints: Object.fromEntries(entries.map(([name, file]) => [`${name}/index`, file])),
    outdir,
    sourcemap: "external",
    // A map is used where the sources are. With them the maps would be twice as large and take a second more.
    sourcesContent: false,
    metafile: true,
    write: false,
  });
}

/** Removes what an earlier run left in a folder, but no part that another process is writing now. */
function removeOthers(folder: string, files: Map<string, unknown>): void {
  mkdirSync(folder, { recursive: true });
  const ours = new Set([...files.keys()].flatMap((file) => [file, dirname(file)]));
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    if (!ours.has(path) && !name.endsWith(PART)) rmSync(path, { recursive: true, force: true });
  }
}

const PART = ".part";

/** Writes a file if it changes, and replaces it whole: another process never finds half of it. */
function write(file: string, contents: Uint8Array, spareFolder: string): void {
  if (existsSync(file) && readFileSync(file).equals(contents)) return;
  mkdirSync(dirname(file), { recursive: true });
  const part = join(spareFolder, `${process.pid}${PART}`);
  writeFileSync(part, contents);
  // The mode is deployed with the file, and Lambda reads it as another user.
  chmodSync(part, 0o644);
  renameSync(part, file);
}

function bundlesOf({ outputs }: Metafile): Bundle[] {
  return Object.entries(outputs)
    .filter(([path]) => path.endsWith(".mjs"))
    .map(([path, { bytes, inputs }]) => ({
      name: basename(dirname(path)),
      file: resolve(root, path),
      bytes,
      inputs: Object.fromEntries(Object.entries(inputs).map(([input, { bytesInOutput }]) => [input, bytesInOutput])),
    }));
}
