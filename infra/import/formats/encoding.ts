import { isUtf8 } from "node:buffer";
import { Readable } from "node:stream";

// Programs for sheets save in Windows-1252 or UTF-16, and `>` of PowerShell writes UTF-16.

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** What the first bytes say: a byte order mark, or the zero byte of a first letter in UTF-16. */
function markedIn([first = 0, second = 0]: Buffer): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first !== 0 && second === 0) return "utf-16le";
  return first === 0 && second !== 0 ? "utf-16be" : undefined;
}

/** Where the last character of a piece begins: the next piece may have the rest of it. */
function lastCharacter(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at > 0 && bytes.length - at < 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return Math.max(at, 0);
}

/** The encoding of a text file. What is not UTF-8 has been saved by a program for sheets: Windows-1252. */
export async function encodingOf(stream: NodeJS.ReadableStream): Promise<Encoding> {
  let open: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of stream) {
    open = Buffer.concat([open, chunk as Buffer]);
    if (isFirst && open.length >= 2) {
      const marked = markedIn(open);
      if (marked) return marked;
      isFirst = false;
    }
    const end = lastCharacter(open);
    if (!isUtf8(open.subarray(0, end))) return "windows-1252";
    open = open.subarray(end);
  }
  return isUtf8(open) ? "utf-8" : "windows-1252";
}

/** A stream in UTF-8 of one in another encoding. */
export function inUtf8(stream: NodeJS.ReadableStream, encoding: Encoding): NodeJS.ReadableStream {
  return encoding === "utf-8" ? stream : Readable.from(decoded(stream, encoding));
}

async function* decoded(stream: NodeJS.ReadableStream, encoding: Encoding): AsyncGenerator<Buffer, void, undefined> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of stream) yield Buffer.from(decoder.decode(chunk as Buffer, { stream: true }));
  yield Buffer.from(decoder.decode());
}
