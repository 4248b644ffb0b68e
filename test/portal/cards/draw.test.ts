import { createRequire } from "node:module";
import { basename } from "node:path";
import { Resvg } from "@resvg/resvg-wasm";
import { expect, it, vi } from "vitest";
import { draw } from "../../../portal/cards/draw.ts";
import { FILES } from "../../../portal/cards/files.ts";

// Where the function runs, these files lie beside it.
vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  const { resolve } = createRequire(import.meta.url);
  const readFileSync = (file: URL) => fs.readFileSync(resolve(FILES[basename(file.pathname)] ?? ""));
  return { ...fs, readFileSync };
});

it("A picture leaves nothing in the renderer's memory, which only grows", async () => {
  const free = vi.spyOn(Resvg.prototype, "free");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`;
  const png = await draw(svg, []);
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect(free).toHaveBeenCalledTimes(1);
  expect(await draw(svg, [])).toBe(png);
  expect(free).toHaveBeenCalledTimes(1);
});
