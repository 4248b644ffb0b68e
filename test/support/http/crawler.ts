import { type IncomingHttpHeaders, request } from "node:http";

export type Crawled = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; body: string };

/** Asks as a crawler does: without a browser's headers, following no redirect. */
export function crawl(url: string, { method = "GET", headers = {} } = {}): Promise<Crawled> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, async (response) => {
      const bytes = Buffer.concat(await response.toArray());
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, bytes, body: bytes.toString() });
    });
    asked.on("error", reject).end();
  });
}

/** What an element or an attribute of HTML or XML says. */
export function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
