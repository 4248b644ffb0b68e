import { cpSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { aFolder, projectFolder } from "../process/server-process.ts";

// What .gitignore names, and Git's own folder.
const NOT_CLONED = /^(\.git|\.data|dist|cdk\.out|coverage|(lib\/client\/)?node_modules|lib\/client\/schema.*)$|\.log$/;

/** A fresh clone of the working tree after `npm ci`, in a folder that goes with the test file. */
export function aClone(): string {
  const clone = join(aFolder(), "feedback-board");
  const isCloned = (path: string) => !NOT_CLONED.test(relative(projectFolder, path));
  cpSync(projectFolder, clone, { recursive: true, filter: isCloned });
  for (const modules of ["node_modules", "lib/client/node_modules"]) {
    const installed = join(projectFolder, modules);
    mkdirSync(dirname(join(clone, modules)), { recursive: true });
    if (existsSync(installed)) symlinkSync(installed, join(clone, modules));
  }
  return clone;
}
