import { StringDecoder } from "node:string_decoder";

/** The longest line of a file, in characters: a post of another portal has a few thousand. */
export const LONGEST_LINE = 1_000_000;

export type Line = { row: number; text: string; isCut: boolean };

/**
 * The lines of a stream of UTF-8, with or without a byte order mark, ended by LF or CR LF. Only the beginning of a line
 * that is too long is kept.
 */
export async function* linesOf(stream: NodeJS.ReadableStream): AsyncGenerator<Line, void, undefined> {
  const decoder = new StringDecoder("utf8");
  let row = 0;
  let open = "";
  let isCut = false;
  const line = (): Line => {
    row++;
    const text = row === 1 ? open.replace(/^\ufeff/, "") : open;
    const made = { row, text: text.replace(/\r$/, ""), isCut };
    open = "";
    isCut = false;
    return made;
  };
  const add = (text: string): void => {
    isCut ||= open.length + text.length > LONGEST_LINE;
    if (!isCut) open += text;
  };
  for await (const chunk of stream) {
    const parts = decoder.write(chunk as Buffer).split("\n");
    for (const part of parts.slice(0, -1)) {
      add(part);
      yield line();
    }
    add(parts.at(-1) ?? "");
  }
  add(decoder.end());
  if (open !== "" || isCut) yield line();
}
