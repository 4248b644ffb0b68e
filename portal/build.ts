import { copyFileSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { minifySync } from "rolldown/utils";
import { FILES } from "./cards/files.ts";

// The portal: the function that answers pages as one file, and the files that browsers load.

// The oldest browsers of docs/portal.md. This changes syntax; test/portal/browsers.test.ts takes functions away.
const TARGET = ["chrome109", "firefox115", "safari16"];

const OPTIONS = {
  bundle: true,
  minify: true,
  legalComments: "none",
  charset: "utf8",
  format: "esm",
  target: TARGET,
  jsx: "automatic",
  jsxImportSource: "preact",
  absWorkingDir: import.meta.dirname,
  write: false,
} satisfies BuildOptions;

const SLIM = ["entities", "uc.micro", "linkify-it", "mdurl", "punycode.js"];

/** The files of some pages: the script's, and the texts of each language. */
type Files = { scripts: string[]; texts: Record<string, string> };

/**
 * What a page loads first, what a page of the team then loads too, and what renders texts. `scripts`: what the script
 * imports.
 */
export type First = Files & { script: string; style: string; team: Files; markdown: string };

const FOR_BROWSERS = {
  ...OPTIONS,
  alias: Object.fromEntries(SLIM.map((name) => [name, "./slim.ts"])),
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  outdir: "/assets",
} satisfies BuildOptions;

/** Leads the import of `markdown.ts` to the file of another build. */
function markdownAt(path: string): Plugin {
  const found = { path: `./${basename(path)}`, external: true };
  return { name: "markdown", setup: ({ onResolve }) => onResolve({ filter: /^\.\/markdown\.ts$/ }, () => found) };
}

/** Texts need no script. */
const TEXTS = /\/texts\/\w+\.ts$/;

/**
 * Lets each part that is loaded later import the first script, which has run by then. What the parts share is one file
 * so: otherwise it is one for each set of pages that share it, and a visitor waits for them all.
 */
const IN_ONE_FILE: Plugin = {
  name: "in one file",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\.tsx?$/ }, ({ kind, path, resolveDir }) =>
      kind === "dynamic-import" && !TEXTS.test(path)
        ? { path: resolve(resolveDir, path), pluginData: "later" }
        : undefined,
    );
    onLoad({ filter: /\.tsx?$/ }, ({ path, pluginData }) => {
      if (pluginData !== "later") return undefined;
      const first = join(import.meta.dirname, "browser.tsx");
      return { contents: `${readFileSync(path, "utf8")}import "${first}";`, loader: "tsx" };
    });
  },
};

/** A script that esbuild has made, two to three percent smaller when compressed. */
function smaller({ path, text }: { path: string; text: string }): string {
  const { code, errors } = minifySync(path, text, { module: true, compress: { target: TARGET }, mangle: true });
  if (errors[0]) throw errors[0];
  return code;
}

/** The texts of the files for browsers by their paths, which change with their content. */
export async function buildAssets(): Promise<{ texts: Record<string, string>; first: First }> {
  // On its own: what only Markdown needs would be a file more for every page.
  const markdown = await build({ ...FOR_BROWSERS, entryPoints: ["markdown.ts"] });
  const pages = await build({
    ...FOR_BROWSERS,
    entryPoints: ["browser.tsx", "style.css"],
    splitting: true,
    metafile: true,
    plugins: [markdownAt(markdown.outputFiles[0]?.path ?? ""), IN_ONE_FILE],
  });
  const outputFiles = [...markdown.outputFiles, ...pages.outputFiles];
  const texts = Object.fromEntries(
    outputFiles.map((file) => [file.path, file.path.endsWith(".js") ? smaller(file) : file.text]),
  );
  const find = (start: string) => Object.keys(texts).find((path) => path.startsWith(`/assets/${start}-`)) ?? "";
  const filesOf = (entry: string, folder: string) => filesIn(pages.metafile.outputs, entry, folder);
  const portal = filesOf("browser.tsx", "texts");
  const team = filesOf("pages/manage.tsx", "pages/manage/texts");
  // Each of these pages begins with the sign-in, which the server renders for everybody.
  const signIn = filesOf("pages/account/sign-in.tsx", "");
  const later = new Set([...team.scripts, ...signIn.scripts]);
  const further = [...later].filter((path) => !portal.scripts.includes(path));
  const named = { script: find("browser"), style: find("style"), markdown: find("markdown") };
  return { texts, first: { ...portal, ...named, team: { ...team, scripts: further } } };
}

/** The file that a source has become, with all that it imports in turn, and the texts in a folder by language. */
function filesIn(outputs: Metafile["outputs"], entry: string, folder: string): Files {
  const all = Object.entries(outputs);
  const scripts = new Set(all.filter(([, { entryPoint }]) => entryPoint === entry).map(([path]) => path));
  for (const path of scripts)
    for (const each of outputs[path]?.imports ?? [])
      if (each.kind === "import-statement" && !each.external) scripts.add(each.path);
  const texts = all.flatMap(([path, { entryPoint = "" }]) =>
    dirname(entryPoint) === folder ? [[basename(entryPoint, ".ts"), resolve("/", path)]] : [],
  );
  return { scripts: [...scripts].map((path) => resolve("/", path)), texts: Object.fromEntries(texts) };
}

export type Answer = {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded?: boolean;
};

export type Headers = Record<string, string | string[] | undefined>;

/** Where the API is, and where the portal is for everybody: each an origin, without a slash at its end. */
export type Origins = { api: string; site: string };

/** Answers the path and query of a page. */
export type AnswerPage = (url: string, headers: Headers, origins: Origins) => Promise<Answer>;

/** Bundles a function, which exports `answerPage`, and `handler` for Lambda, into a file. */
async function buildFunction(entry: string, outfile: string, define: Record<string, string> = {}): Promise<void> {
  await build({ ...OPTIONS, entryPoints: [entry], platform: "node", define, outfile: resolve(outfile), write: true });
}

/** Bundles the function of pages into a file. Returns the files for browsers. */
export async function buildPortal(outfile: string): Promise<Record<string, string>> {
  const { texts, first } = await buildAssets();
  await buildFunction("server.tsx", outfile, { FIRST: JSON.stringify(first) });
  return texts;
}

/** Bundles the function of cards into a file, with what it reads beside it. */
export async function buildCards(outfile: string): Promise<void> {
  await buildFunction("cards.ts", outfile);
  const { resolve: find } = createRequire(import.meta.url);
  for (const [name, source] of Object.entries(FILES)) copyFileSync(find(source), join(dirname(outfile), name));
}
