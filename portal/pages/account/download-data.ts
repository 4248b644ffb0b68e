import { answer, api } from "../../api.ts";

/** Offers a file with all that the service holds of the person, whose pages are lines. */
export async function downloadData(): Promise<void> {
  const lines: string[] = [];
  for (let after: string | null | undefined; after !== null; ) {
    const query = after === undefined ? {} : { after };
    const { page_info, ...page } = await answer(api.GET("/users/profile/export", { params: { query } }));
    lines.push(`${JSON.stringify(page)}\n`);
    after = page_info.end_cursor;
  }
  const href = URL.createObjectURL(new Blob(lines, { type: "application/jsonl" }));
  Object.assign(document.createElement("a"), { href, download: "my-data.jsonl" }).click();
  // The browser may begin to read it after the press.
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
