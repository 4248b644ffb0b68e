import { renameSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { buildAssets, RenderPage } from "../../../portal/build.ts";
import type { Answer } from "./invoke.ts";

type Build = Awaited<ReturnType<typeof buildAssets>> & { page: RenderPage };

async function build(): Promise<Build> {
  // Loaded now, so that a start is as fast as without it.
  const { buildAssets, buildServer } = await import("../../../portal/build.ts");
  const server = join(import.meta.dirname, "../../../dist/portal/server.mjs");
  const part = `${server}.${process.pid}`;
  const [assets] = await Promise.all([buildAssets(), buildServer(part)]);
  // Another server may read the file at this moment: it is replaced whole.
  renameSync(part, server);
  return { ...assets, ...(await import(pathToFileURL(server).href)) };
}

const TYPES: Record<string, string> = { js: "text/javascript", css: "text/css" };

/** Answers the addresses of the portal on one machine. It is built at the first of them. */
export function portal(
  origin: () => string,
): (url: string, headers: IncomingHttpHeaders) => Promise<Answer | undefined> {
  let built: Promise<Build> | undefined;
  return async (url, headers) => {
    const isPage = headers.accept?.includes("text/html") && !url.startsWith("/api/");
    if (!isPage && !url.startsWith("/assets/")) return undefined;
    built ??= build();
    const { assets, page, ...files } = await built;
    const asset = assets.find(({ path }) => path === url);
    if (asset) {
      return {
        statusCode: 200,
        headers: {
          "content-type": `${TYPES[asset.path.split(".").at(-1) ?? ""]}; charset=utf-8`,
          "cache-control": "public, max-age=31536000, immutable",
        },
        body: Buffer.from(asset.content).toString("base64"),
        isBase64Encoded: true,
      };
    }
    if (!isPage) return undefined;
    const { status, ...answer } = await page(url, headers["accept-language"] ?? "", origin(), files);
    return { statusCode: status, ...answer };
  };
}
