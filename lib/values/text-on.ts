/** Red, green and blue of a colour, each as linear light from 0 to 1. */
function lightsOf(color: string): number[] {
  const bytes = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return bytes.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
}

/** The relative luminance of a colour of six hex digits (WCAG 2). */
export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = lightsOf(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Here black and white are read equally well, with a contrast of 4.58. */
const MIDDLE = 0.179;

/** The colour of text on a colour of six hex digits: black or white, whichever reads better. */
export function textOn(color: string): string {
  return luminanceOf(color) > MIDDLE ? "000000" : "ffffff";
}
