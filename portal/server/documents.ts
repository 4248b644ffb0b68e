import type { Api } from "../api.ts";
import type { Answer } from "../build.ts";
import { site } from "../site.ts";
import type { Texts } from "../texts/en.ts";
import { BY_LANGUAGE, orFailed } from "./answers.ts";
import { newPosts, postsOfBoard, statusChanges } from "./feeds.ts";
import { iconOf } from "./icon.tsx";
import { robots, sitemapIndex, sitemapOfPages, sitemapOfPosts } from "./sitemap.ts";

// What programs read beside the pages. It is read as a visitor reads, so it has nothing that a visitor may not see.

/** How long caches keep a document, in seconds. */
const FEED = 300;
const HOUR = 3600;

/**
 * A document at addresses of a form; `write` gets the part of the address that the form marks, and the texts of the
 * reader's language. `speaks`: it has some of them.
 */
type Document = {
  path: RegExp;
  type: string;
  seconds: number;
  write: (api: Api, siteUrl: string, name: string, texts: Texts) => Promise<string> | string;
  speaks?: true;
};

const ATOM = "application/atom+xml";
const XML = "application/xml";

const DOCUMENTS: Document[] = [
  { path: /^\/robots\.txt$/, type: "text/plain", seconds: HOUR, write: (_, site) => robots(site) },
  { path: /^\/sitemap\.xml$/, type: XML, seconds: HOUR, write: sitemapIndex },
  { path: /^\/sitemaps\/pages\.xml$/, type: XML, seconds: HOUR, write: sitemapOfPages },
  {
    path: /^\/sitemaps\/posts-([1-9]\d{0,4})\.xml$/,
    type: XML,
    seconds: HOUR,
    write: (api, site, page) => sitemapOfPosts(api, Number(page), site),
  },
  { path: /^\/icon\.svg$/, type: "image/svg+xml", seconds: HOUR, write: iconOfSite },
  { path: /^\/feed\.xml$/, type: ATOM, seconds: FEED, write: newPosts },
  {
    path: /^\/status-changes\.xml$/,
    type: ATOM,
    seconds: FEED,
    write: (api, site, _, { status }) => statusChanges(api, site, status),
    speaks: true,
  },
  {
    path: /^\/boards\/([^/]+)\/feed\.xml$/,
    type: ATOM,
    seconds: FEED,
    write: (api, site, url) => postsOfBoard(api, decodeURIComponent(url), site),
  },
];

async function iconOfSite(api: Api): Promise<string> {
  const { title, accentColor } = await site().load(api);
  return iconOf({ name: title, color: accentColor });
}

/** What answers the address of a document; undefined for the address of a page. */
export function documentAt(path: string): ((api: Api, siteUrl: string, texts: Texts) => Promise<Answer>) | undefined {
  for (const document of DOCUMENTS) {
    const [found, name = ""] = document.path.exec(path) ?? [];
    if (found !== undefined) {
      return (api, siteUrl, texts) =>
        orFailed(answerWith(document, async () => document.write(api, siteUrl, name, texts)));
    }
  }
  return undefined;
}

async function answerWith({ type, seconds, speaks }: Document, write: () => Promise<string>): Promise<Answer> {
  const body = await write();
  const headers = {
    "cache-control": `public, max-age=${seconds}`,
    "x-content-type-options": "nosniff",
    ...(speaks && { vary: BY_LANGUAGE }),
  };
  return { statusCode: 200, headers: { "content-type": `${type}; charset=utf-8`, ...headers }, body };
}
