import { api } from "../../api.ts";
import { allPages, offerFile } from "../../downloads.ts";
import { announce } from "../../notices.ts";
import { type Data, dataPage } from "./data-page.ts";
import { firstText } from "./first-text.ts";

/** How a person gets their data: a page to read, or lines for programs, one for each page of the API. */
export type DataFormat = "html" | "jsonl";

/** Offers a file with all that the service holds of the person. */
export async function downloadData(format: DataFormat): Promise<void> {
  const pageAfter = (query: { after?: string }) => api.GET("/users/profile/export", { params: { query } });
  const answers = await allPages(pageAfter, (n) => announce(firstText("downloadWaits", { n })));
  const pages: Data[] = answers.map(({ page_info: _, ...page }) => page);
  const parts =
    format === "html" ? [dataPage(pages, location.origin)] : pages.map((page) => `${JSON.stringify(page)}\n`);
  offerFile(parts, format === "html" ? "text/html" : "application/jsonl", `my-data.${format}`);
}
