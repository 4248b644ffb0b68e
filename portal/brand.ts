import { textOn } from "../lib/values/text-on.ts";

/** The properties of the style sheet that follow from the site's colour, with the colour of text on it. */
export function brandOf(color: string): Record<string, string> {
  return { "--brand": `#${color}`, "--on-brand": `#${textOn(color)}` };
}
