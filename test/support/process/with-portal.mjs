// For node --import: `npm start` reads the portal that a test file has built (built-portal.ts), and builds none. In
// JavaScript, because it is loaded before every process of node that the program starts.
import { registerHooks } from "node:module";

const sourceFor = (url) => `
  import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
  import { dirname } from "node:path";
  export async function buildPortal(outfile) {
    const { program, files } = JSON.parse(readFileSync(process.env.BUILT_PORTAL, "utf8"));
    mkdirSync(dirname(outfile), { recursive: true });
    writeFileSync(outfile, program);
    return files;
  }
  export async function buildCards(outfile) {
    const builder = await import(${JSON.stringify(`${url}?itself`)});
    return builder.buildCards(outfile);
  }`;

registerHooks({
  load: (url, context, next) =>
    url.endsWith("/portal/build.ts")
      ? { format: "module", shortCircuit: true, source: sourceFor(url) }
      : next(url, context),
});
