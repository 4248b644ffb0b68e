import { api } from "../../api.ts";
import { offerFile, patiently } from "../../downloads.ts";
import { announce } from "../../notices.ts";
import { accountText } from "./account-text.ts";
import { type Data, dataPage } from "./data-page.ts";

function pageAfter(after: string | undefined) {
  const query = after === undefined ? {} : { after };
  const send = () => api.GET("/users/profile/export", { params: { query } });
  return patiently(send, (n) => announce(accountText("downloadWaits", { n })));
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
  offerFile(parts, format === "html" ? "text/html" : "application/jsonl", `my-data.${format}`);
}
