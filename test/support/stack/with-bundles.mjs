// For node --import: the functions have been bundled (bundles.ts), and are not bundled again. In JavaScript, because it
// is loaded before every process of node that the program starts.
import { registerHooks } from "node:module";

registerHooks({
  load: (url, context, next) =>
    url.endsWith("/infra/bundle/bundle.ts")
      ? { format: "module", shortCircuit: true, source: "export async function bundleAll() {}" }
      : next(url, context),
});
