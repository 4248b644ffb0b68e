import type { Plugin } from "esbuild";
import { lazyHttp, lightSdk } from "../../infra/bundle/plugins.ts";
import { bundleProgram, type Program } from "../simulator/scheduler/program.ts";

/** The whole service, bundled as for Lambda; plugins may change its sources on the way. */
export function bundleService(plugins: Plugin[] = []): Promise<Program> {
  return bundleProgram(`${import.meta.dirname}/service.ts`, [...plugins, lazyHttp, lightSdk]);
}
