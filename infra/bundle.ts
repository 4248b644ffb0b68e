import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { backgroundFunctions } from "../functions/background/index.ts";
import { endpoints } from "../functions/index.ts";
import { scheduledFunctions } from "../functions/scheduled/index.ts";
import { eagerOwnImports, lazyHttp, withoutUnused } from "./bundle-plugins.ts";

const root = resolve(import.meta.dirname, "..");

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
  plugins: [lazyHttp, withoutUnused, eagerOwnImports],
} satisfies BuildOptions;

/** Bundles every function into `<outDir>/<name>/index.mjs`, its source map into `<outDir>-maps/<name>.map`. */
export const bundleAll = async (outDir = "dist/functions"): Promise<Bundle[]> => {
  const folder = resolve(root, outDir);
  const { outputFiles, metafile } = await build({
    ...bundleOptions,
    entryPoints: Object.fromEntries(Object.entries(entryFiles()).map(([name, file]) => [`${name}/index`, file])),
    outdir: folder,
    sourcemap: "external",
    // The sources are at hand wherever a map is used; with them the maps weigh twice as much and take a second.
    sourcesContent: false,
    metafile: true,
    write: false,
  });
  for (const stale of [folder, `${folder}-maps`]) rmSync(stale, { recursive: true, force: true });
  for (const { path, contents } of outputFiles) write(fileOf(folder, path), contents);
  return bundlesOf(metafile);
};

const write = (file: string, contents: Uint8Array): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
};

// A source map beside the bundle would be deployed with it.
const fileOf = (folder: string, path: string): string =>
  path.endsWith(".map") ? join(`${folder}-maps`, `${basename(dirname(path))}.map`) : path;

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
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const bundles = await bundleAll();
  const bytes = bundles.reduce((sum, each) => sum + each.bytes, 0);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${bundles.length} bundles, ${Math.round(bytes / 1000)} KB, in ${seconds} s: dist/functions`);
}
