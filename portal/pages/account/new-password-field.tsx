import { Field } from "../../parts/fields.tsx";
import { t } from "../../text.ts";
import { firstText } from "./first-text.ts";

const SHORTEST_PASSWORD = 8;

function atLeast(): string {
  return firstText("passwordHint", { n: SHORTEST_PASSWORD });
}

function problemOf(password: string): string | undefined {
  return [...password].length < SHORTEST_PASSWORD ? `${t("too_small")} ${atLeast()}` : undefined;
}

/** A password that a person chooses; the page knows the rule too, so that one press shows all mistakes. */
export function NewPasswordField({ name = "password", label = t("password") }: { name?: string; label?: string }) {
  return (
    <Field
      name={name}
      type="password"
      label={label}
      autoComplete="new-password"
      hint={atLeast()}
      check={problemOf}
      required
    />
  );
}
