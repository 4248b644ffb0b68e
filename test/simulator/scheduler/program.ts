import { compileFunction } from "node:vm";
import { build, type Plugin } from "esbuild";

export const GLOBALS = [
  "require",
  "module",
  "exports",
  "process",
  "globalThis",
  "global",
  "Date",
  "Math",
  "performance",
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "clearImmediate",
  "crypto",
  "AbortSignal",
  "console",
  "fetch",
] as const;

export type Globals = Record<(typeof GLOBALS)[number], unknown>;

export class Program {
  readonly code: string;
  readonly #evaluate: (...globals: unknown[]) => void;

  constructor(code: string, filename = "program.cjs") {
    this.code = code;
    this.#evaluate = compileFunction(code, [...GLOBALS], { filename }) as (...globals: unknown[]) => void;
  }

  evaluate(globals: Omit<Globals, "module" | "exports">): unknown {
    const module = { exports: {} };
    const all: Globals = { ...globals, module, exports: module.exports };
    this.#evaluate(...GLOBALS.map((name) => all[name]));
    return module.exports;
  }
}

/** Bundles a module with all that it imports; plugins may change sources on the way. */
export async function bundleProgram(entry: string, plugins: Plugin[] = []): Promise<Program> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    outfile: "program.cjs",
    format: "cjs",
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    logLevel: "silent",
    plugins,
  });
  return new Program(outputFiles[0]?.text ?? "");
}
