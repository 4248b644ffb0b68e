import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";

/** Set by `npm run docs`: tests write the files that they otherwise compare. */
const isWriting = process.env.WRITE_DOCS === "on";

/** Writes a file under `npm run docs`. */
export function writeIfAsked(file: string, text: string): void {
  if (isWriting) writeFileSync(file, text);
}

/** Expects that a file holds the text that was made for it; under `npm run docs` it is written first. */
export function expectWritten(file: string, text: string): void {
  writeIfAsked(file, text);
  expect(text, `${file} is out of date: run npm run docs and read what it changes`).toBe(readFileSync(file, "utf8"));
}
