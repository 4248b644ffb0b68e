import { answer, Failure, type Result, tagOf } from "../../api.ts";
import { t } from "../../text.ts";
import { labelsOf } from "./audit-words.ts";
import { teamText } from "./team-text.ts";

type Fields = Record<string, unknown>;

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What a person is told who would change something that they have not seen; of which fields, if that is known. */
export function changedMeanwhile(fields: readonly string[] = []): Failure {
  const named = fields.length > 0 ? ` ${teamText("auditFields", { fields: labelsOf(fields) })}` : "";
  return new Failure(412, "CHANGED_MEANWHILE", t("CHANGED_MEANWHILE") + named);
}

/**
 * The condition that a thing still is as the page shows it, so that nobody's change is overwritten unseen. `edited`:
 * the fields of the form.
 */
export async function asShown(shown: Fields, edited: Fields, call: Promise<Result<Record<string, Fields>>>) {
  const read = await answer(call).catch((failure: Failure): Record<string, Fields> => {
    // It may have another address now.
    if (failure.status === 404) return {};
    throw failure;
  });
  const [now] = Object.values(read);
  if (!now) throw changedMeanwhile();
  const others = Object.keys(edited).filter((field) => !isSame(shown[field], now[field]));
  if (others.length > 0) throw changedMeanwhile(others);
  return { "If-Match": await tagOf(call) };
}

/** The fields of a form that differ from what the page shows. Nothing is shown as an empty text. */
export function changedIn<T extends Fields>(shown: Fields, edited: T): Partial<T> {
  const names = Object.keys(edited).filter((name) => !isSame(shown[name] ?? "", edited[name] ?? ""));
  return Object.fromEntries(names.map((name) => [name, edited[name]])) as Partial<T>;
}

/**
 * Sends what a person has changed in a form, if anything, on condition that nobody else has changed the same. So the
 * audit log names only that, and what others change meanwhile stays.
 */
export async function sendChanged<T extends Fields, R>(
  shown: Fields,
  edited: T,
  read: () => Promise<Result<Record<string, Fields>>>,
  send: (body: Partial<T>, header: { "If-Match": string }) => Promise<R>,
): Promise<R | undefined> {
  const body = changedIn(shown, edited);
  if (Object.keys(body).length === 0) return undefined;
  return send(body, await asShown(shown, body, read()));
}
