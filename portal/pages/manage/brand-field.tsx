import { useState } from "preact/hooks";
import { brandOf } from "../../brand.ts";
import { Field } from "../../parts/fields.tsx";
import { teamText } from "./team-text.ts";

const HEX = /^#?([0-9a-f]{6})$/i;

/** Six hex digits, however the person has typed them; undefined if they are none. */
export function hexOf(typed: string): string | undefined {
  return HEX.exec(typed.trim())?.[1]?.toLowerCase();
}

const THEMES = ["light", "dark"] as const;

/** The site's colour, by its digits or from a palette, and what it makes of a button and a link. */
export function BrandField({ saved }: { saved: string }) {
  const [typed, setTyped] = useState(`#${saved}`);
  const shown = hexOf(typed) ?? saved;
  return (
    <div class="brand-field">
      <Field
        name="color"
        label={teamText("accentColor")}
        value={`#${saved}`}
        dir="ltr"
        autoCapitalize="none"
        spellcheck={false}
        maxLength={7}
        check={(value) => (hexOf(value) ? undefined : teamText("colorRule"))}
        onType={setTyped}
        required
      />
      <input
        type="color"
        aria-label={teamText("palette")}
        value={`#${shown}`}
        onInput={({ currentTarget: { value, form } }) => {
          const field = form?.elements.namedItem("color") as HTMLInputElement;
          field.value = value;
          field.dispatchEvent(new Event("input", { bubbles: true }));
        }}
      />
      <p class="hint">{teamText("accentColorHint")}</p>
      <div class="brand-preview" aria-hidden="true">
        {THEMES.map((theme) => (
          <span key={theme} data-theme={theme} style={brandOf(shown)}>
            <span class="button primary">{teamText("previewButton")}</span>{" "}
            <span class="link">{teamText("previewLink")}</span>
          </span>
        ))}
      </div>
    </div>
  );
}
