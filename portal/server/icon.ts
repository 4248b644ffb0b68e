import type { Api } from "../api.ts";
import { textOn } from "../brand.ts";
import { letterOf } from "../graphemes.ts";
import { site } from "../site.ts";
import { escaped } from "./escaped.ts";

/** A site without an icon has the first letter of its name, on its colour. */
export async function iconOf(api: Api): Promise<string> {
  const { title, accentColor } = await site().load(api);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect width="64" height="64" rx="14" fill="#${accentColor}"/>
<text x="32" y="46" font-family="system-ui, sans-serif" font-size="40" font-weight="600" text-anchor="middle" fill="#${textOn(accentColor)}">${escaped(letterOf(title))}</text>
</svg>
`;
}
