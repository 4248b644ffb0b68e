import { renderToString } from "preact-render-to-string";
import type { Run } from "../cards/fonts.ts";
import { Mark } from "../mark.tsx";

/** The mark of a site as a picture. `letter`: in the fonts that have it, for a renderer that knows no other. */
export function iconOf({ name, color }: { name: string; color: string }, size?: number, letter?: Run[]): string {
  const spans = letter?.map(({ family, text }) => <tspan font-family={family}>{text}</tspan>);
  return renderToString(
    <Mark name={name} color={color} {...(size && { size })}>
      {spans}
    </Mark>,
  );
}
