import { readFileSync } from "node:fs";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { RENDERER } from "./files.ts";
import { fontsOf } from "./fonts.ts";

let ready: Promise<void> | undefined;

// A card is drawn again only if it says something else.
const drawn = new Map<string, Buffer>();
const KEPT = 100;

/** Draws SVG as PNG. `texts`: what is written in it, which decides what fonts are read. */
export async function draw(svg: string, texts: string[]): Promise<Buffer> {
  ready ??= initWasm(readFileSync(new URL(`./${RENDERER}`, import.meta.url)));
  await ready;
  const known = drawn.get(svg);
  if (known) return known;
  const font = { fontBuffers: fontsOf(texts), loadSystemFonts: false };
  const drawing = new Resvg(svg, { font });
  const image = drawing.render();
  const png = Buffer.from(image.asPng());
  // No garbage collector reaches the renderer's memory.
  image.free();
  drawing.free();
  drawn.set(svg, png);
  for (const oldest of drawn.keys()) if (drawn.size > KEPT) drawn.delete(oldest);
  return png;
}
