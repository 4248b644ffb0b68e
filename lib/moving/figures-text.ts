import { type DayFigures, figureKinds } from "../figures/figures.ts";

/** The figures of days as rows of a sheet; a cell is empty where nothing is known. */
export function figuresText(days: DayFigures[]): string {
  const head = ["day", ...figureKinds].join(",");
  const rows = days.map((each) => [each.day, ...figureKinds.map((kind) => each[kind] ?? "")].join(","));
  return [head, ...rows].map((row) => `${row}\r\n`).join("");
}
