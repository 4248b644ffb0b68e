// npm runs this after an install that changed something (the script "dependencies"): package-lock.json leaves out which Node each
// package asks for. npm compares that with the Node that it runs on itself, and would print a screen of warnings on Node 20, where the
// packages run on the Node 24 that comes with them. What the project asks for stays (docs/local.md#node-versions).
import { readFileSync, writeFileSync } from "node:fs";

/** The text of a lock file without the `engines` of what is installed from the registry. */
const withoutEngines = (text) => {
  const lock = JSON.parse(text);
  for (const [path, entry] of Object.entries(lock.packages)) {
    // npm writes those of what lies inside of another package again with each install.
    if (path.includes("node_modules/") && !entry.inBundle) delete entry.engines;
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
};

// npm ci changes no file of the project.
if (process.env.npm_lifecycle_event === "dependencies" && process.env.npm_command !== "ci") {
  const text = readFileSync("package-lock.json", "utf8");
  const shorter = withoutEngines(text);
  if (shorter !== text) writeFileSync("package-lock.json", shorter);
}
