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
import { type BuildOptions, build, type Metafile } from "esbuild";
import { backgroundFunctions } from "../../functions/background/index.ts";
import { endpoints } from "../../functions/index.ts";
import { scheduledFunctions } from "../../functions/scheduled/index.ts";
import { readCommandLine } from "../usage.ts";
import { lazyHttp, withoutLazyTwins, withoutUnused } from "./plugins.ts";

const root = resolve(import.meta.dirname, "../..");

/** The bundle of one function: its file, and how many of its bytes came from which module (paths from the project's root). */
export type Bundle = { name: string; file: string; bytes: number; inputs: Record<string, number> };

/** The module of each function, by the function's name: endpoints first, then background functions, then what runs on a schedule. */
export const entryFiles = (): Record<string, string> =>
  Object.fromEntries([
    ...endpoints.map(({ definition: { name } }) => [name, `functions/${name.replace("-", "/")}.ts`]),
    ...backgroundFunctions.map(({ definition: { name } }) => [name, `functions/background/${name}.ts`]),
    ...scheduledFunctions.map((name) => [name, `functions/scheduled/${name}.ts`]),
  ]);

/** How every function is bundled; what each choice is worth stands in docs/performance.md. */
export const bundleOptions = {
  absWorkingDir: root,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  target: "node24",
  format: "esm",
  mainFields: ["module", "main"],
  minify: true,
  legalComments: "none",
  plugins: [lazyHttp, withoutUnused, withoutLazyTwins],
} satisfies BuildOptions;

// esbuild keeps what it makes until it is done: 43 functions at once take 1.2 GB, 12 at once a third of that.
const AT_ONCE = 12;

/** Bundles every function, or those given, into `<outDir>/<name>/index.mjs`, its source map into `<outDir>-maps/<name>.map`. */
export const bundleAll = async (outDir = "dist/functions", entryPoints = entryFiles()): Promise<Bundle[]> => {
  const folder = resolve(root, outDir);
  const maps = `${folder}-maps`;
  const entries = Object.entries(entryPoints);
  const files = new Map<string, Uint8Array>();
  const bundles: Bundle[] = [];
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    const { outputFiles, metafile } = await buildSome(entries.slice(at, at + AT_ONCE), folder);
    for (const { path, contents } of outputFiles) files.set(path.endsWith(".map") ? mapOf(maps, path) : path, contents);
    bundles.push(...bundlesOf(metafile));
  }
  removeOthers(folder, files);
  removeOthers(maps, files);
  for (const [file, contents] of files) write(file, contents, maps);
  return bundles;
};

const buildSome = (entries: [name: string, file: string][], outdir: string) =>
  build({
    ...bundleOptions,
    entryPoints: Object.fromEntries(entries.map(([name, file]) => [`${name}/index`, file])),
    outdir,
    sourcemap: "external",
    // The sources are at hand wherever a map is used; with them the maps weigh twice as much and take a second.
    sourcesContent: false,
    metafile: true,
    write: false,
  });

// A source map beside the bundle would be deployed with it.
const mapOf = (maps: string, path: string): string => join(maps, `${basename(dirname(path))}.map`);

/** Removes what an earlier run left in a folder, but for what somebody is writing there right now. */
const removeOthers = (folder: string, files: Map<string, unknown>): void => {
  mkdirSync(folder, { recursive: true });
  const ours = new Set([...files.keys()].flatMap((file) => [file, dirname(file)]));
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    if (!ours.has(path) && !name.endsWith(PART)) rmSync(path, { recursive: true, force: true });
  }
};

const PART = ".part";

/** Writes a file whole, and only if it changes: whoever bundles or deploys beside us finds it there at any time. */
const write = (file: string, contents: Uint8Array, spare: string): void => {
  if (existsSync(file) && readFileSync(file).equals(contents)) return;
  mkdirSync(dirname(file), { recursive: true });
  const part = join(spare, `${process.pid}${PART}`);
  writeFileSync(part, contents);
  // The mode is deployed with the file, and Lambda's user is another one than who deploys.
  chmodSync(part, 0o644);
  renameSync(part, file);
};

const bundlesOf = ({ outputs }: Metafile): Bundle[] =>
  Object.entries(outputs)
    .filter(([path]) => path.endsWith(".mjs"))
    .map(([path, { bytes, inputs }]) => ({
      name: basename(dirname(path)),
      file: resolve(root, path),
      bytes,
      inputs: Object.fromEntries(Object.entries(inputs).map(([input, { bytesInOutput }]) => [input, bytesInOutput])),
    }));

const started = performance.now();
if (import.meta.main) {
  readCommandLine("npm run bundle");
  const bundles = await bundleAll();
  const bytes = bundles.reduce((sum, each) => sum + each.bytes, 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${bundles.length} bundles, ${Math.round(bytes / 1000)} KB, in ${seconds} s: dist/functions`);
}
