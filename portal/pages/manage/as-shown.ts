import { answer, Failure, type Result, tagOf } from "../../api.ts";
import { changedIn, isSame } from "../../parts/changed-in.ts";
import { t } from "../../text.ts";

type Fields = Record<string, unknown>;

/** What a person is told who would change something that they have not seen. The fields show what others have saved. */
export function changedMeanwhile(): Failure {
  return new Failure(412, "CHANGED_MEANWHILE", t("CHANGED_MEANWHILE"));
}

/**
 * The condition that a thing still is as the page shows it, so that nobody's change is overwritten unseen. `edited`:
 * the fields of the form.
 */
async function asShown(shown: Fields, edited: Fields, call: Promise<Result<Record<string, Fields>>>) {
  const read = await answer(call).catch((failure: Failure): Record<string, Fields> => {
    // It may have another address now.
    if (failure.status === 404) return {};
    throw failure;
  });
  const [now] = Object.values(read);
  if (!now) throw changedMeanwhile();
  if (Object.keys(edited).some((field) => !isSame(shown[field], now[field]))) throw changedMeanwhile();
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
  shown: Fields,
  edited: T,
  read: () => Promise<Result<Record<string, Fields>>>,
  send: (body: Partial<T>, header: { "If-Match": string }) => Promise<R>,
): Promise<R | undefined> {
  return sendChanged(shown, edited, async (body) => send(body, await asShown(shown, body, read())));
}
