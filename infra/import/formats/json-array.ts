import { StringDecoder } from "node:string_decoder";
import { LONGEST_LINE } from "./lines.ts";

/** An object of an array, and which of the array it is, counted from one; undefined if it is too long. */
export type Element = { row: number; value: Record<string, unknown> | undefined };

function parsed(file: string, row: number, text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`${file} is no JSON in its object ${row}: ${(error as Error).message}`);
  }
}

/**
 * The objects of a JSON array, one after the other: the array of a large portal does not fit into memory. Anything
 * between the objects is passed over. Throws if one of them is not valid JSON, or if the file ends within one.
 */
export async function* objectsIn(
  file: string,
  stream: NodeJS.ReadableStream,
): AsyncGenerator<Element, void, undefined> {
  const decoder = new StringDecoder("utf8");
  let row = 0;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let text = "";
  for await (const chunk of stream) {
    const part = decoder.write(chunk as Buffer);
    let start = 0;
    for (let at = 0; at < part.length; at++) {
      const character = part[at];
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (character === "\\") isEscaped = true;
        else if (character === '"') isInString = false;
      } else if (character === '"') isInString = depth > 0;
      else if (character === "{" && depth++ === 0) start = at;
      else if (character === "}" && depth > 0 && --depth === 0) {
        text += part.slice(start, at + 1);
        row++;
        yield { row, value: text.length > LONGEST_LINE ? undefined : parsed(file, row, text) };
        text = "";
      }
    }
    // What is longer than any row is not kept, but read on to its end.
    if (depth > 0 && text.length <= LONGEST_LINE) text += part.slice(start);
  }
  if (depth > 0) throw new Error(`${file} ends within its object ${row + 1}: export it once more`);
}
