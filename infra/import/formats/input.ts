import { createReadStream, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import { crc32, createGunzip } from "node:zlib";
import * as yauzl from "yauzl";
import { type Encoding, encodingOf, inUtf8 } from "./encoding.ts";
import type { Input, Report } from "./form.ts";

/** The files as they are stored, before they are unpacked and in UTF-8. */
type Bytes = Omit<Input, "site">;

/** Opens a file, a folder or a ZIP archive. Reports files that are not in UTF-8. */
export async function openInput(path: string, report: Report): Promise<Input> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Error(`There is no file or folder ${path}`);
  const { names, beside = [], open, close } = found.isDirectory() ? openFolder(path) : await openFile(path);
  // macOS adds such files to its archives and folders.
  const isOwn = (name: string) => !/(^|\/)(__MACOSX\/|\._|\.DS_Store$)/.test(name);
  // To find out about a file takes a pass through it, and some files are opened twice.
  const formats = new Map<string, Format>();
  const openText = async (name: string) => {
    const format = formats.get(name) ?? (await formatOf(name, () => open(name), report));
    formats.set(name, format);
    return inUtf8(await openPlain(() => open(name), format), format.encoding);
  };
  return { names: names.filter(isOwn), beside: beside.filter(isOwn), open: openText, close };
}

const PLAIN = "is a dump in PostgreSQL's own format. Make a plain one of it: pg_restore --file=plain.sql <dump>";

/** The first bytes of files of another kind, and what to do with such a file. */
const UNREADABLE: [start: RegExp, advice: string][] = [
  [/^(PGDMP|toc\.dat\0)/, PLAIN],
  [/^PK\x03\x04/, "is a ZIP archive, or a workbook of a program for sheets: save each sheet as CSV UTF-8"],
  [/^\xd0\xcf\x11\xe0/, "is a workbook of a program for sheets: save each sheet as CSV UTF-8"],
  [/^.{257}ustar/s, "is a TAR archive: unpack it, and give the folder"],
  [
    /^(BZh|\xfd7zXZ|7z\xbc\xaf|Rar!|\x28\xb5\x2f\xfd|\x04\x22\x4d\x18)/,
    "is compressed: unpack it, and give what is in it",
  ],
  [/^\s*<(!doctype html|html)\b/i, "is a web page: download the export while you are signed in"],
];

type Open = () => Promise<NodeJS.ReadableStream>;

type Format = { isGzip: boolean; encoding: Encoding };

/** Finds out how a file is written, and reports what is unusual. */
async function formatOf(name: string, open: Open, report: Report): Promise<Format> {
  const start = await beginningOf(await open());
  const advice = UNREADABLE.find(([form]) => form.test(start.toString("latin1")))?.[1];
  if (advice) throw new Error(`${name} ${advice}`);
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  const encoding = await encodingOf(await openPlain(open, { isGzip })).catch((error: unknown) => {
    throw endsEarly(name, error);
  });
  if (encoding === "windows-1252") {
    const what = "is not in UTF-8, and is read as Windows-1252: look whether the letters with accents are right";
    report({ place: { file: name, row: 0 }, field: "file", what });
  }
  return { isGzip, encoding };
}

async function openPlain(open: Open, { isGzip }: Pick<Format, "isGzip">): Promise<NodeJS.ReadableStream> {
  return isGzip ? pipeline(await open(), createGunzip(), () => {}) : open();
}

/** Reads a file of an archive to its end: throws if it has other bytes than the archive says. */
async function checkWhole(name: string, stream: NodeJS.ReadableStream, sum: number): Promise<void> {
  let found = 0;
  try {
    for await (const chunk of stream) found = crc32(chunk, found);
  } catch (error) {
    throw endsEarly(name, error);
  }
  if (found !== sum) throw new Error(`${name} is damaged: get the archive once more`);
}

function endsEarly(name: string, error: unknown): Error {
  return new Error(`${name} cannot be read to its end: ${(error as Error).message}`);
}

/** The first bytes of a stream, enough for every format. */
async function beginningOf(stream: NodeJS.ReadableStream): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    if (bytes.length >= 512) break;
  }
  return bytes;
}

async function openFile(path: string): Promise<Bytes> {
  const start = await beginningOf(createReadStream(path, { end: 511 }));
  if (start.toString("latin1").startsWith("PK")) return openArchive(path);
  const name = basename(path);
  const beside = listed(dirname(path)).filter((each) => each !== name);
  return { names: [name], beside: beside.sort(), open: async () => createReadStream(path), close: () => {} };
}

/** The names in a folder; none where only its files may be read. */
function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") return [];
    throw error;
  }
}

function openFolder(path: string): Bytes {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = entries.map(({ parentPath, name }) => join(parentPath, name).slice(path.replace(/\/$/, "").length + 1));
  return { names: names.sort(), open: async (name) => createReadStream(join(path, name)), close: () => {} };
}

const openZip = promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open);

async function openArchive(path: string): Promise<Bytes> {
  const notWhole = (error: Error) => new Error(`${path} is no whole ZIP archive: ${error.message}`);
  const archive = await openZip(path, { lazyEntries: true, autoClose: false }).catch((error: Error) => {
    throw notWhole(error);
  });
  const entries = new Map<string, yauzl.Entry>();
  await new Promise<void>((resolve, reject) => {
    archive.on("entry", (entry: yauzl.Entry) => {
      if (!entry.fileName.endsWith("/")) entries.set(entry.fileName, entry);
      archive.readEntry();
    });
    archive.once("end", resolve);
    archive.once("error", (error: Error) => reject(notWhole(error)));
    archive.readEntry();
  });
  const openEntry = (entry: yauzl.Entry) =>
    new Promise<NodeJS.ReadableStream>((resolve, reject) => {
      archive.openReadStream(entry, (error, stream) =>
        error ? reject(new Error(`${entry.fileName} cannot be read: ${error.message}`)) : resolve(stream),
      );
    });
  const checked = new Set<string>();
  return {
    names: [...entries.keys()].sort(),
    open: async (name) => {
      const entry = entries.get(name) as yauzl.Entry;
      if (!checked.has(name)) await checkWhole(name, await openEntry(entry), entry.crc32);
      checked.add(name);
      return openEntry(entry);
    },
    close: () => archive.close(),
  };
}
