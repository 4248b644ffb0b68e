import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BuildOptions, build } from "esbuild";

// The portal: the function that answers pages as one file, and the files that browsers load.

const OPTIONS = {
  bundle: true,
  minify: true,
  legalComments: "none",
  charset: "utf8",
  format: "esm",
  // The oldest browsers of docs/portal.md. This changes syntax; test/portal/browsers.test.ts takes functions away.
  target: ["chrome109", "firefox115", "safari16"],
  jsx: "automatic",
  jsxImportSource: "preact",
  absWorkingDir: import.meta.dirname,
  write: false,
} satisfies BuildOptions;

const SLIM = ["entities", "uc.micro", "linkify-it", "mdurl", "punycode.js"];

/** What a page loads first. `texts`: the file of each language. */
export type First = { script: string; style: string; texts: Record<string, string> };

/** The texts of the files for browsers by their paths, which change with their content. */
export async function buildAssets(): Promise<{ texts: Record<string, string>; first: First }> {
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
  const languages = readdirSync(join(import.meta.dirname, "texts")).map((name) => name.replace(".ts", ""));
  const textsOf = Object.fromEntries(languages.map((language) => [language, find(language)]));
  return { texts, first: { script: find("browser"), style: find("style"), texts: textsOf } };
}

export type Answer = { statusCode: number; headers: Record<string, string>; body: string };

export type Headers = Record<string, string | string[] | undefined>;

/** Where the API is, and where the portal is for everybody: each an origin, without a slash at its end. */
export type Origins = { api: string; site: string };

/** Answers the path and query of a page. */
export type AnswerPage = (url: string, headers: Headers, origins: Origins) => Promise<Answer>;

/**
 * Bundles the function, which exports `answerPage`, and `handler` for Lambda, into a file. Returns the files for
 * browsers.
 */
export async function buildPortal(outfile: string): Promise<Record<string, string>> {
  const { texts, first } = await buildAssets();
  const define = { FIRST: JSON.stringify(first) };
  await build({
    ...OPTIONS,
    entryPoints: ["server.tsx"],
    platform: "node",
    define,
    outfile: resolve(outfile),
    write: true,
  });
  return texts;
}
