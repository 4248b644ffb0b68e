// What requests cost as a table grows: docs/figures/growth.json as a picture and as a table.

/** Steps, calls and units of one request (docs/data-model.md#measured). */
type Cost = { steps: number; calls: number; readUnits: number; writeUnits: number };

/** What requests cost at several sizes; `of` says what is counted. */
export type Growth = { of: string; sizes: number[]; requests: Record<string, Cost[]> }[];

const WIDTH = 480;
const MARGIN = 16;
const BAR_START = 92;
const BAR_HEIGHT = 14;
const BAR_STEP = 20;
const UNIT = 13;

const STYLE = `
    svg { --back: #ffffff; --ink: #1f2328; --faint: #59636e; --read: #0969da; --write: #bc4c00 }
    @media (prefers-color-scheme: dark) {
      svg { --back: #0d1117; --ink: #f0f6fc; --faint: #9198a1; --read: #4493f8; --write: #db6d28 }
    }
    text { font: 15px system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: var(--ink) }
    .title { font-size: 19px; font-weight: 600 } .name { font-weight: 600 } .size { fill: var(--faint); text-anchor: end }
    .back { fill: var(--back) } .read { fill: var(--read) } .write { fill: var(--write) }`;

function grouped(number: number): string {
  return number.toLocaleString("en");
}

function unitsOf({ readUnits, writeUnits }: Cost): string {
  return [readUnits && `${readUnits} R`, writeUnits && `${writeUnits} W`].filter(Boolean).join(" + ");
}

function bar(cost: Cost, size: number, y: number): string {
  const [read, write] = [cost.readUnits * UNIT, cost.writeUnits * UNIT];
  const base = y + BAR_HEIGHT - 2;
  return [
    `  <text class="size" x="${BAR_START - 8}" y="${base}">${grouped(size)}</text>`,
    `  <rect class="read" x="${BAR_START}" y="${y}" width="${read}" height="${BAR_HEIGHT}"/>`,
    `  <rect class="write" x="${BAR_START + read}" y="${y}" width="${write}" height="${BAR_HEIGHT}"/>`,
    `  <text x="${BAR_START + read + write + 6}" y="${base}">${unitsOf(cost)}</text>`,
  ].join("\n");
}

/** The picture, an SVG for light and dark pages. */
export function growthChart(growth: Growth): string {
  const lines: string[] = [];
  let y = MARGIN + 18;
  const text = (words: string, kind: string, below: number): void => {
    lines.push(`  <text class="${kind}" x="${MARGIN}" y="${y}">${words}</text>`);
    y += below;
  };
  text("What a request costs as the table grows", "title", 26);
  lines.push(
    `  <rect class="read" x="${MARGIN}" y="${y - 12}" width="14" height="14"/><text x="${MARGIN + 20}" y="${y}">read units (R)</text>`,
    `  <rect class="write" x="${MARGIN + 150}" y="${y - 12}" width="14" height="14"/><text x="${MARGIN + 170}" y="${y}">write units (W)</text>`,
  );
  y += 38;
  for (const { of, sizes, requests } of growth) {
    text(of, "title", 28);
    for (const [name, costs] of Object.entries(requests)) {
      text(name, "name", 8);
      for (const [index, cost] of costs.entries()) {
        lines.push(bar(cost, sizes[index] ?? 0, y));
        y += BAR_STEP;
      }
      y += 22;
    }
    y += 10;
  }
  const height = y - 10;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    "  <title>Read and write units of requests at three sizes of the table and of a post</title>",
    `  <style>${STYLE}\n  </style>`,
    `  <rect class="back" width="${WIDTH}" height="${height}" rx="8"/>`,
    ...lines,
    "</svg>\n",
  ].join("\n");
}

/** The same as a table of a document. */
export function growthTable(growth: Growth): string {
  return growth
    .map(({ of, sizes, requests }) => {
      const head = [of, "Steps", ...sizes.map(grouped)];
      const rows = Object.entries(requests).map(([name, costs]) => {
        const steps = [...new Set(costs.map((cost) => cost.steps))].join(", ");
        return [name, steps, ...costs.map(unitsOf)];
      });
      return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    })
    .join("\n\n");
}
