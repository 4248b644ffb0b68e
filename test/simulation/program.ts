import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";
import { lazyHttp, lightSdk } from "../../infra/bundle/plugins.ts";
import { bundleProgram, type Program } from "../simulator/scheduler/program.ts";

/** The whole service, bundled as for Lambda; plugins may change its sources on the way. */
export function bundleService(plugins: Plugin[] = []): Promise<Program> {
  return bundleProgram(`${import.meta.dirname}/service.ts`, [...plugins, lazyHttp, lightSdk]);
}

const root = join(import.meta.dirname, "../..");

/** A change of a source on its way into the bundle, at a text that occurs once. */
export type SourceChange = { file: string; find: string; replace: string };

export function changingSource({ file, find, replace }: SourceChange): Plugin {
  return {
    name: "source change",
    setup({ onLoad }) {
      const path = join(root, file);
      onLoad({ filter: new RegExp(`${file.replaceAll(/[./]/g, "\\$&")}$`) }, (args) => {
        if (args.path !== path) return undefined;
        const parts = readFileSync(path, "utf8").split(find);
        if (parts.length !== 2) throw new Error(`${file} does not have this text once: ${find}`);
        return { contents: parts.join(replace), loader: "ts" };
      });
    },
  };
}
