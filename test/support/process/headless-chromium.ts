import { spawnSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

// Chromium without the frame of a window, packed by npm: a page takes half the work that it takes in a whole one.

const modules = join(import.meta.dirname, "../../../node_modules");
const PACKAGE = join(modules, "@sparticuz/chromium");

/** Its program, unpacked once for each installed version; undefined where it is not installed, or does not start. */
export async function headlessChromium(): Promise<string | undefined> {
  if (!existsSync(PACKAGE)) return undefined;
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const program = join(modules, `.cache/chromium-${version}/chromium`);
  if (!existsSync(program)) await unpack(program);
  return spawnSync(program, ["--version"]).status === 0 ? program : undefined;
}

async function unpack(program: string): Promise<void> {
  mkdirSync(dirname(program), { recursive: true });
  // Another run may do the same at this moment.
  const part = `${program}.${process.pid}`;
  const packed = createReadStream(join(PACKAGE, "bin/chromium.br"));
  await pipeline(packed, createBrotliDecompress(), createWriteStream(part, { mode: 0o755 }));
  renameSync(part, program);
}
