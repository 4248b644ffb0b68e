import { type BuildOptions, build } from "esbuild";

// The portal as files: what browsers load, and the function that renders pages.

const OPTIONS = {
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2024",
  jsx: "automatic",
  jsxImportSource: "preact",
  absWorkingDir: import.meta.dirname,
  write: false,
} satisfies BuildOptions;

const SLIM = ["entities", "uc.micro", "linkify-it", "mdurl", "punycode.js"];

/** Renders the page of an address. `origin`: where its API is; `files`: what the page loads. */
export type RenderPage = (
  url: string,
  acceptLanguage: string,
  origin: string,
  files: { script: string; style: string },
) => Promise<{ status: number; headers: Record<string, string>; body: string }>;

export type Asset = { path: string; content: Uint8Array };

/** The files for browsers, with names that change with their content. */
export async function buildAssets(): Promise<{ assets: Asset[]; script: string; style: string }> {
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: ["browser.tsx", "style.css"],
    alias: Object.fromEntries(SLIM.map((name) => [name, "./slim.ts"])),
    splitting: true,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    outdir: "/assets",
  });
  const assets = outputFiles.map(({ path, contents }) => ({ path, content: contents }));
  const find = (start: string) => assets.find(({ path }) => path.startsWith(`/assets/${start}-`))?.path ?? "";
  return { assets, script: find("browser"), style: find("style") };
}

/** Bundles the function that renders pages into a file. */
export async function buildServer(outfile: string): Promise<void> {
  await build({ ...OPTIONS, entryPoints: ["server.tsx"], platform: "node", outfile, write: true });
}
