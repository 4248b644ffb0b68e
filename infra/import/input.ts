import { createReadStream, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import * as yauzl from "yauzl";
import type { Input } from "./form.ts";

/** Opens a file, a folder or a ZIP archive. */
export async function openInput(path: string): Promise<Input> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Error(`There is no file or folder ${path}`);
  if (found.isDirectory()) return openFolder(path);
  return /\.zip$/i.test(path) ? openArchive(path) : openFile(path);
}

function openFile(path: string): Input {
  return { names: [basename(path)], open: async () => createReadStream(path), close: () => {} };
}

function openFolder(path: string): Input {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = entries.map(({ parentPath, name }) => join(parentPath, name).slice(path.replace(/\/$/, "").length + 1));
  return { names: names.sort(), open: async (name) => createReadStream(join(path, name)), close: () => {} };
}

async function openArchive(path: string): Promise<Input> {
  const archive = await promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open)(path, {
    lazyEntries: true,
    autoClose: false,
  });
  const entries = new Map<string, yauzl.Entry>();
  await new Promise<void>((resolve, reject) => {
    archive.on("entry", (entry: yauzl.Entry) => {
      if (!entry.fileName.endsWith("/")) entries.set(entry.fileName, entry);
      archive.readEntry();
    });
    archive.once("end", resolve);
    archive.once("error", reject);
    archive.readEntry();
  });
  return {
    names: [...entries.keys()].sort(),
    open: (name) =>
      new Promise((resolve, reject) => {
        archive.openReadStream(entries.get(name) as yauzl.Entry, (error, stream) =>
          error ? reject(error) : resolve(stream),
        );
      }),
    close: () => archive.close(),
  };
}
