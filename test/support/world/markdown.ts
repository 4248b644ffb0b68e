// Texts in Markdown: what people write, and what would make a page large.

function repeated(piece: string, bytes: number): string {
  const count = Math.floor(bytes / Buffer.byteLength(piece));
  return piece.repeat(count);
}

/** Pieces that become long when they are repeated: tags for single signs, and the same tags again and again. */
export const GROWING = [
  "a\n\n",
  '"',
  "&",
  "<",
  "<b>",
  "&amp;",
  "*a*",
  "**a** ",
  "***a",
  "*a **b ",
  "_a_ ",
  "~~a~~ ",
  '`"`\n',
  "`a``",
  "# a\n",
  "#\n",
  "a\n=\n",
  "---\n",
  ">a\n\n",
  `${">".repeat(100)}a\n\n`,
  "> - > - a\n\n",
  "-\n+\n",
  "- a\n* a\n",
  `${"- ".repeat(50)}a\n\n`,
  "1. a\n1) b\n",
  "    a\n\nb\n\n",
  "~~~\n```\n",
  "[]()",
  "[a](b) ",
  "[a](/\u6f22)",
  "<ab:c>",
  "![a](b)",
  "a  \n",
  "a\\\n",
  "|a|b|\n|-|-|\n|c|d|\n\n",
  `https://a${")".repeat(1980)} `,
];

/** A text of at most `bytes` for each way to make a page large. */
export function hostileTexts(bytes: number): string[] {
  const header = `${"|a".repeat(100)}\n${"|-".repeat(100)}\n`;
  const half = Math.floor(bytes / 2) - 20;
  return [
    ...GROWING.map((piece) => repeated(piece, bytes)),
    header + repeated("|\n", bytes - header.length),
    // The whole address again for each mention.
    `[a]: https://a.example/${"x".repeat(half)}\n\n${repeated("[a]", half - 20)}`,
    "*".repeat(half) + "a".repeat(half),
    ">".repeat(bytes),
    "[".repeat(bytes),
  ];
}

export const ORDINARY = [
  "I cannot see my invoices since **Monday**.\n\n1. Open *Billing*\n2. Press `Export`\n3. Nothing happens\n",
  "> The export is slow\n\nSame here: it takes _minutes_, see [our log](https://logs.example/a?b=1&c=2).\n",
  '```json\n{ "name": "A & B", "sizes": [1, 2, 3], "on": true }\n```\n',
  "## Wishes\n\n- dark mode\n- fewer mails\n  - only *answers*\n  - once a day\n\n---\n\nThanks \u{1f64f}\n",
  "\u0412\u0445\u043e\u0434 \u043f\u043e **\u0441\u0441\u044b\u043b\u043a\u0435**\n\n\u65e5\u672c\u8a9e\u306e\u8868\u793a\u304c`\u5d29\u308c`\u307e\u3059\u3002\n",
  "| Plan | Price |\n|---|---|\n| Small | 5 |\n| Large | 50 |\n",
];
