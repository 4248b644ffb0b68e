import { type BuildOptions, build } from "esbuild";

// The portal as one file: the function that answers pages, with what browsers load in it.

const OPTIONS = {
  bundle: true,
  minify: true,
  legalComments: "none",
  format: "esm",
  target: "es2024",
  jsx: "automatic",
  jsxImportSource: "preact",
  absWorkingDir: import.meta.dirname,
  write: false,
} satisfies BuildOptions;

const SLIM = ["entities", "uc.micro", "linkify-it", "mdurl", "punycode.js"];

/** The texts of the files for browsers by their paths, which change with their content, and what a page loads first. */
export type Assets = { texts: Record<string, string>; script: string; style: string };

export async function buildAssets(): Promise<Assets> {
  const { outputFiles } = await build({
    ...OPTIONS,
    entryPoints: ["browser.tsx", "style.css"],
    alias: Object.fromEntries(SLIM.map((name) => [name, "./slim.ts"])),
    splitting: true,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    outdir: "/assets",
  });
  const texts = Object.fromEntries(outputFiles.map(({ path, text }) => [path, text]));
  const find = (start: string) => Object.keys(texts).find((path) => path.startsWith(`/assets/${start}-`)) ?? "";
  return { texts, script: find("browser"), style: find("style") };
}

export type Answer = { statusCode: number; headers: Record<string, string>; body: string };

/** Answers the path and query of a page or of a file that it loads. `origin`: where the API is. */
export type AnswerPage = (
  url: string,
  headers: Record<string, string | string[] | undefined>,
  origin: string,
) => Promise<Answer>;

/** Bundles the function into a file, which exports `answerPage`, and `handler` for Lambda. */
export async function buildPortal(outfile: string): Promise<void> {
  const define = { ASSETS: JSON.stringify(await buildAssets()) };
  await build({ ...OPTIONS, entryPoints: ["server.tsx"], platform: "node", define, outfile, write: true });
}
