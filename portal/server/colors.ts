/** The sheet that gives each colour named in a page to its elements. The page's policy names the sheet by its hash. */
export function colorsIn(html: string): string {
  const named = [...html.matchAll(/ data-color="([0-9a-f]{6})"/gi)].map(([, color]) => color);
  return [...new Set(named)].map((color) => `[data-color="${color}"]{--color:#${color}}`).join("");
}
