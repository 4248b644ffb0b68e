import { createRequire } from "node:module";
import { basename } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { cardOf } from "../../../portal/cards/card.ts";
import { FILES } from "../../../portal/cards/files.ts";

// Where the function runs, these files lie beside it.
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const { resolve } = createRequire(import.meta.url);
  const readFileSync = (file: URL) => fs.readFileSync(resolve(FILES[basename(file.pathname)] ?? ""));
  return { ...fs, readFileSync };
});

/** The lines of a card with the sizes of their fonts, the mark's letter aside. */
function linesOn(svg: string): [size: number, words: string][] {
  const lines = svg.matchAll(/<text x="80" y="\d+" font-size="(\d+)"[^>]*>(.*)<\/text>/g);
  return [...lines].map(([, size, spans = ""]) => [Number(size), spans.replace(/<[^>]*>/g, "")]);
}

const SITE = { site: "Tidemark", title: "Tidemark", color: "3355ff" };
const DESCRIPTION = "Tidemark keeps the notes and tasks of a team in one place. Tell us what it should do better.";

describe("The card of a site", () => {
  it("has its name large, and the whole description small below it", () => {
    const [name, ...description] = linesOn(cardOf({ ...SITE, description: DESCRIPTION }));
    expect(name).toEqual([68, "Tidemark"]);
    expect(description.map(([size]) => size)).toEqual([38, 38]);
    expect(description.map(([, words]) => words).join(" ")).toBe(DESCRIPTION);
  });

  it("cuts a long description after four lines, which stay on the card below a long name", () => {
    const title = "A name that is long ".repeat(5).trim();
    const svg = cardOf({ ...SITE, site: title, title, description: DESCRIPTION.repeat(3) });
    const lines = linesOn(svg);
    expect(lines.map(([size]) => size)).toEqual([68, 68, 38, 38, 38, 38]);
    expect(lines.at(-1)?.[1]).toMatch(/…$/);
    const lowest = Math.max(...[...svg.matchAll(/ y="(\d+)" font-size="38"/g)].map(([, y]) => Number(y)));
    expect(lowest).toBeLessThan(600);
  });

  it("has its name alone without a description, once", () => {
    expect(cardOf(SITE).match(/>Tidemark</g)).toHaveLength(1);
  });
});
