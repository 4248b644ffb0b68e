import type { ComponentChildren } from "preact";
import { letterOf } from "../lib/values/graphemes.ts";
import { textOn } from "../lib/values/text-on.ts";

type MarkProps = {
  /** The name of the site, and its colour. */
  name: string;
  color: string;
  /** In pixels; else a style sheet decides. */
  size?: number;
  /** The letter, where it needs more than a text. */
  children?: ComponentChildren;
};

/** What stands for a site without a logo or an icon: the first letter of its name on its colour. */
export function Mark({ name, color, size, children = letterOf(name) }: MarkProps) {
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      class="mark"
      viewBox="0 0 64 64"
      width={size}
      height={size}
      aria-hidden="true"
    >
      <rect width="64" height="64" rx="14" fill={`#${color}`} />
      <text
        x="32"
        y="46"
        font-family="system-ui, sans-serif"
        font-size="40"
        font-weight="600"
        text-anchor="middle"
        fill={`#${textOn(color)}`}
      >
        {children}
      </text>
    </svg>
  );
}
