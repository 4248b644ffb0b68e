import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { backgroundFunctions } from "../functions/background/index.ts";
import { endpoints } from "../functions/index.ts";

const root = resolve(import.meta.dirname, "..");

/** The module of each function, by the function's name: endpoints first, then background functions. */
export const entryFiles = (): Record<string, string> =>
  Object.fromEntries([
    ...endpoints.map(({ definition: { name } }) => [name, `functions/${name.replace("-", "/")}.ts`]),
    ...backgroundFunctions.map(({ definition: { name } }) => [name, `functions/background/${name}.ts`]),
  ]);

/** Bundles every function into `<outDir>/<name>/index.mjs`, the source maps into `<outDir>-maps`. */
export const bundleAll = async (outDir = "dist/functions"): Promise<void> => {
  const folder = resolve(root, outDir);
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(entryFiles()).map(([name, file]) => [`${name}/index`, file])),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "node24",
    format: "esm",
    mainFields: ["module", "main"],
    minify: true,
    legalComments: "none",
    sourcemap: "external",
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
    write: false,
  });
  rmSync(folder, { recursive: true, force: true });
  for (const { path, contents } of outputFiles) {
    const file = path.endsWith(".map") ? join(`${folder}-maps`, `${basename(dirname(path))}.map`) : path;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleAll();
