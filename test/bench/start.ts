import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Tree } from "./tree.ts";

const NAME = "posts-list";

const bundles = new Map<Tree, string>();

/** Bundles the function that lists posts as its version does. */
async function bundleOf(tree: Tree, folder: string): Promise<string> {
  const { bundleAll, entryFiles } = await import(join(tree.root, "infra/bundle/bundle.ts"));
  const out = mkdtempSync(join(folder, "start-"));
  await bundleAll(out, { [NAME]: entryFiles()[NAME] });
  return join(out, NAME, "index.mjs");
}

/** The processor time of the import of a function and of its first request, in a process of its own. */
export async function timeOfStart(tree: Tree, folder: string): Promise<number> {
  const bundle = bundles.get(tree) ?? (await bundleOf(tree, folder));
  bundles.set(tree, bundle);
  const env = { ...process.env, DYNAMODB_ENDPOINT: tree.engine, TABLE_NAME: "feedback-board" };
  const words = [join(import.meta.dirname, "start.mjs"), bundle];
  const printed = execFileSync(process.execPath, words, { encoding: "utf8", env });
  return Number(printed.split("\n").at(-1));
}
