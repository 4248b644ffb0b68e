import { answer, Failure, type Result, tagOf } from "../../api.ts";
import { changedIn, isSame } from "../../parts/changed-in.ts";
import { t } from "../../text.ts";
import { labelsOf } from "./audit-words.ts";
import { teamText } from "./team-text.ts";

type Fields = Record<string, unknown>;

/** A thing as a page shows it, with its kind, by which the audit log and conflicts name its fields. */
type Shown = { kind: "board" | "roadmap" | "site"; shown: Fields };

/**
 * What a person is told who would change something that they have not seen; of which fields of which kind of things, if
 * that is known.
 */
export function changedMeanwhile(fields: readonly string[] = [], kind = ""): Failure {
  const named = fields.length > 0 ? ` ${teamText("auditFields", { fields: labelsOf(fields, kind) })}` : "";
  return new Failure(412, "CHANGED_MEANWHILE", t("CHANGED_MEANWHILE") + named);
}

/**
 * The condition that a thing still is as the page shows it, so that nobody's change is overwritten unseen. `edited`:
 * the fields of the form.
 */
async function asShown({ kind, shown }: Shown, edited: Fields, call: Promise<Result<Record<string, Fields>>>) {
  const read = await answer(call).catch((failure: Failure): Record<string, Fields> => {
    // It may have another address now.
    if (failure.status === 404) return {};
    throw failure;
  });
  const [now] = Object.values(read);
  if (!now) throw changedMeanwhile();
  const others = Object.keys(edited).filter((field) => !isSame(shown[field], now[field]));
  if (others.length > 0) throw changedMeanwhile(others, kind);
  return { "If-Match": await tagOf(call) };
}

/**
 * Sends what a person has changed in a form, if anything. So the audit log names only that, and what others change
 * meanwhile stays.
 */
export async function sendChanged<T extends Fields, R>(
  shown: Fields,
  edited: T,
  send: (body: Partial<T>) => Promise<R>,
): Promise<R | undefined> {
  const body = changedIn(shown, edited);
  return Object.keys(body).length > 0 ? send(body) : undefined;
}

/** Sends it on condition that nobody else has changed the same. */
export function sendChangedAsShown<T extends Fields, R>(
  thing: Shown,
  edited: T,
  read: () => Promise<Result<Record<string, Fields>>>,
  send: (body: Partial<T>, header: { "If-Match": string }) => Promise<R>,
): Promise<R | undefined> {
  return sendChanged(thing.shown, edited, async (body) => send(body, await asShown(thing, body, read())));
}
