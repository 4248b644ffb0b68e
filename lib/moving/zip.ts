import { constants, crc32, deflateRawSync } from "node:zlib";
import * as z from "zod/mini";

// An archive of files that grow side by side for hours, in processes that may be killed. No library for archives can
// continue in another process. So each file is compressed in pieces that end at a byte: put one after the other they
// are one stream of DEFLATE (RFC 1951). Only the records of the archive are written here (APPNOTE.TXT 6.3, 4.3).

/** A file of an archive: its pieces by their names on the shelf, and what the records say of it, in bytes. */
export const Entry = z.object({
  file: z.string(),
  pieces: z.array(z.string()),
  crc: z.number(),
  size: z.number(),
  packedSize: z.number(),
});
export type Entry = z.output<typeof Entry>;

export function newEntry(file: string): Entry {
  return { file, pieces: [], crc: 0, size: 0, packedSize: 0 };
}

/** Compresses the next piece of a file. Returns the entry with the piece, which is to be kept under this name. */
export function compress(entry: Entry, name: string, content: Buffer): { entry: Entry; packed: Buffer } {
  const packed = deflateRawSync(content, { finishFlush: constants.Z_SYNC_FLUSH });
  const longer = {
    ...entry,
    pieces: [...entry.pieces, name],
    crc: crc32(content, entry.crc),
    size: entry.size + content.length,
    packedSize: entry.packedSize + packed.length,
  };
  return { entry: longer, packed };
}

/** An empty last block. */
const END = Buffer.from([3, 0]);

/** What an archive consists of, in its order: bytes, or a piece on the shelf. */
export type Section = { bytes: Buffer } | { piece: string };

/** The sections of the archive of these files, which have this time (ms since 1970), and its length. */
export function archiveOf(entries: Entry[], at: number): { sections: Section[]; bytes: number } {
  const sections: Section[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const head = localRecord(entry, at);
    records.push(directoryRecord(entry, at, offset));
    sections.push({ bytes: head }, ...entry.pieces.map((piece) => ({ piece })), { bytes: END });
    offset += head.length + entry.packedSize + END.length;
  }
  const directory = Buffer.concat(records);
  const end = endRecord(entries.length, directory.length, offset);
  sections.push({ bytes: Buffer.concat([directory, end]) });
  return { sections, bytes: offset + directory.length + end.length };
}

const VERSION = 20;
// Names are in UTF-8.
const FLAGS = 0x0800;
const DEFLATE = 8;

/** Fields of two bytes, or of four if they are marked as `long`. */
function fields(...values: (number | { long: number })[]): Buffer {
  const parts = values.map((value) => {
    const bytes = Buffer.alloc(typeof value === "number" ? 2 : 4);
    if (typeof value === "number") bytes.writeUInt16LE(value);
    else bytes.writeUInt32LE(value.long);
    return bytes;
  });
  return Buffer.concat(parts);
}

/** What both records of a file have in common. */
function common({ file, crc, size, packedSize }: Entry, at: number): Buffer {
  const time = new Date(at);
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  const day = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const sizes = [{ long: crc }, { long: packedSize + END.length }, { long: size }];
  return fields(VERSION, FLAGS, DEFLATE, clock, day, ...sizes, Buffer.byteLength(file), 0);
}

function localRecord(entry: Entry, at: number): Buffer {
  return Buffer.concat([fields({ long: 0x04034b50 }), common(entry, at), Buffer.from(entry.file)]);
}

function directoryRecord(entry: Entry, at: number, offset: number): Buffer {
  // No comment, the first disk, no attributes.
  const rest = fields(0, 0, 0, { long: 0 }, { long: offset });
  const start = fields({ long: 0x02014b50 }, VERSION);
  return Buffer.concat([start, common(entry, at), rest, Buffer.from(entry.file)]);
}

function endRecord(count: number, length: number, offset: number): Buffer {
  return fields({ long: 0x06054b50 }, 0, 0, count, count, { long: length }, { long: offset }, 0);
}
