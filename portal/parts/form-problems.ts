import { Failure } from "../api.ts";
import { t } from "../text.ts";
import { FIELDS } from "./form-values.ts";

/** What is wrong with what was typed, by field: every mistake, in the language of the page. */
export function problemsIn(form: HTMLFormElement): Record<string, string> {
  const fields = [...form.querySelectorAll<HTMLInputElement>(FIELDS)];
  const wrong = fields.filter((field) => isWrong(field) && field.name);
  return Object.fromEntries(wrong.map((field) => [field.name, problemOf(field)]));
}

/** Whether it must be filled in and has blanks only. In a password blanks count, also while it is shown. */
function isBlank(field: HTMLInputElement): boolean {
  return field.required && field.value.trim() === "" && !field.closest(".secret");
}

function isWrong(field: HTMLInputElement): boolean {
  return !field.validity.valid || isBlank(field);
}

function problemOf(field: HTMLInputElement): string {
  const { validity, type, validationMessage } = field;
  if (validity.customError) return validationMessage;
  if (validity.valueMissing || isBlank(field)) return t("missing");
  if (validity.tooShort) return t("too_small");
  if (validity.tooLong) return t("too_big");
  return t(type === "email" ? "EMAIL_INVALID" : "invalid_format");
}

/** What is left of a failure once a field has changed; nothing, if the field was all that was wrong. */
export function leftOf(failure: Failure, field: HTMLInputElement): Failure | undefined {
  const { [field.name]: known, ...others } = failure.fields;
  const fields = known && isWrong(field) ? { ...others, [field.name]: problemOf(field) } : others;
  if (Object.keys(fields).length === 0) return undefined;
  return new Failure(failure.status, failure.code, failure.message, fields);
}
