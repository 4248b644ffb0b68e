import { answer, api } from "../../api.ts";
import { announce } from "../../notices.ts";
import { accountText } from "./account-text.ts";
import { type Data, dataPage } from "./data-page.ts";

/** How often it says how long it still waits. */
const TOLD_EACH_SECONDS = 5;

async function wait(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= TOLD_EACH_SECONDS) {
    announce(accountText("downloadWaits", { n: left }));
    await new Promise((resolve) => setTimeout(resolve, Math.min(left, TOLD_EACH_SECONDS) * 1000));
  }
}

/** A page of the data. Where the service asks to wait, it waits. */
async function pageAfter(after: string | undefined) {
  const query = after === undefined ? {} : { after };
  for (;;) {
    const call = api.GET("/users/profile/export", { params: { query } });
    const response = await call.then(
      (result) => result.response,
      () => undefined,
    );
    const seconds = Number(response?.headers.get("retry-after"));
    if (response?.status !== 429 || !(seconds > 0)) return answer(call);
    await wait(seconds);
  }
}

/** How a person gets their data: a page to read, or lines for programs, one for each page of the API. */
export type DataFormat = "html" | "jsonl";

/** Offers a file with all that the service holds of the person. */
export async function downloadData(format: DataFormat): Promise<void> {
  const pages: Data[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const { page_info, ...page } = await pageAfter(after);
    pages.push(page);
    after = page_info.end_cursor;
  }
  const parts =
    format === "html" ? [dataPage(pages, location.origin)] : pages.map((page) => `${JSON.stringify(page)}\n`);
  const type = format === "html" ? "text/html" : "application/jsonl";
  const href = URL.createObjectURL(new Blob(parts, { type }));
  Object.assign(document.createElement("a"), { href, download: `my-data.${format}` }).click();
  // The browser may begin to read it after the press.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
