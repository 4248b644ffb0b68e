import { Field } from "../../parts/fields.tsx";
import { t } from "../../text.ts";
import { firstText } from "./first-text.ts";

const SHORTEST_PASSWORD = 8;

function problemOf(password: string): string | undefined {
  return [...password].length < SHORTEST_PASSWORD ? t("too_small") : undefined;
}

/** A password that a person chooses; the page knows the rule too, so that one press shows all mistakes. */
export function NewPasswordField({ label = t("password") }: { label?: string }) {
  return (
    <Field
      name="password"
      type="password"
      label={label}
      autoComplete="new-password"
      hint={firstText("passwordHint")}
      check={problemOf}
      required
    />
  );
}
