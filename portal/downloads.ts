import { answer, type Result } from "./api.ts";

// Files that a page puts together from many calls.

/** How often it says how long it still waits. */
const TOLD_EACH_SECONDS = 5;

async function wait(seconds: number, tell: (seconds: number) => void): Promise<void> {
  for (let left = seconds; left > 0; left -= TOLD_EACH_SECONDS) {
    tell(left);
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, TOLD_EACH_SECONDS) * 1000));
  }
}

/** The content of an answer. Where the service asks to wait, it waits, and `tell`s for how many seconds. */
export async function patiently<T>(
  send: () => Promise<Result<T>>,
  tell: (seconds: number) => void,
): Promise<NonNullable<T>> {
  for (;;) {
    const call = send();
    const response = await call.then(
      (result) => result.response,
      () => undefined,
    );
    const seconds = Number(response?.headers.get("retry-after"));
    if (response?.status !== 429 || !(seconds > 0)) return answer(call);
    await wait(seconds, tell);
  }
}

/** Offers a file. */
export function offerFile(parts: string[], type: string, download: string): void {
  const href = URL.createObjectURL(new Blob(parts, { type }));
  Object.assign(document.createElement("a"), { href, download }).click();
  // The browser may begin to read it after the press.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
