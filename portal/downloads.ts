import { answer, type Result, untilAnswered } from "./api.ts";

// Files that a page puts together from many calls.

/** How often it says how long it still waits. */
const TOLD_EACH_SECONDS = 5;

async function wait(seconds: number, tell: (seconds: number) => void): Promise<void> {
  for (let left = seconds; left > 0; left -= TOLD_EACH_SECONDS) {
    tell(left);
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, TOLD_EACH_SECONDS) * 1000));
  }
}

/** For how many seconds the service asks to wait; 0 if it does not. */
async function secondsToWait(call: Promise<Result<unknown>>): Promise<number> {
  const response = await call.then(
    (result) => result.response,
    () => undefined,
  );
  return response?.status === 429 ? Number(response.headers.get("retry-after")) : 0;
}

/**
 * The content of an answer. Where the service asks to wait, it waits, and `tell`s for how many seconds; where an answer
 * is lost, it asks again.
 */
export async function patiently<T>(
  send: () => Promise<Result<T>>,
  tell: (seconds: number) => void,
): Promise<NonNullable<T>> {
  for (;;) {
    const { content, seconds } = await untilAnswered(async () => {
      const call = send();
      const seconds = await secondsToWait(call);
      return seconds > 0 ? { seconds } : { content: await answer(call), seconds };
    });
    if (content !== undefined) return content;
    await wait(seconds, tell);
  }
}

type Listed = { page_info: { end_cursor: string | null } };

/** All pages of a list, read patiently one after the other. */
export async function allPages<T extends Listed>(
  pageAfter: (after: { after?: string }) => Promise<Result<T>>,
  tell: (seconds: number) => void,
): Promise<T[]> {
  const pages: T[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const from = after === undefined ? {} : { after };
    const page: T = await patiently(() => pageAfter(from), tell);
    pages.push(page);
    after = page.page_info.end_cursor;
  }
  return pages;
}

/** Offers a file. */
export function offerFile(parts: string[], type: string, download: string): void {
  const href = URL.createObjectURL(new Blob(parts, { type }));
  Object.assign(document.createElement("a"), { href, download }).click();
  // The browser may begin to read it after the press.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
