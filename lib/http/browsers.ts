// The browsers and systems that a mail names. Only these words: a client must not write into a mail.

// Of several names in a header the first of the list counts: Edge names Chrome too, and Chrome names Safari.
const BROWSERS = {
  Edge: /Edg(e|A|iOS)?\//,
  Opera: /OPR\//,
  "Samsung Internet": /SamsungBrowser\//,
  Firefox: /(Firefox|FxiOS)\//,
  Chrome: /(Chrome|CriOS)\//,
  Safari: /Safari\//,
};

const SYSTEMS = {
  iOS: /iPhone|iPad/,
  Android: /Android/,
  Windows: /Windows/,
  macOS: /Mac OS X/,
  ChromeOS: /CrOS/,
  Linux: /Linux/,
};

function nameIn(header: string, names: Record<string, RegExp>): string | undefined {
  return Object.entries(names).find(([, pattern]) => pattern.test(header))?.[0];
}

/** The browser and the system that a header User-Agent names, such as `Firefox, Linux`; undefined for others. */
export function browserOf(header = ""): string | undefined {
  const browser = nameIn(header, BROWSERS);
  const system = nameIn(header, SYSTEMS);
  return browser && system ? `${browser}, ${system}` : browser;
}
