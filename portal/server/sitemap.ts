import { type Api, answer, Failure } from "../api.ts";
import { allBoards } from "../site.ts";
import { pathOfBoard, pathOfPost } from "./addresses.ts";
import { escaped } from "./escaped.ts";

// The addresses of all pages for search engines (https://www.sitemaps.org/protocol.html), page by page: a numbered page
// of the oldest posts costs the same however far it is, and stays the same when new posts come.

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";

/** The posts of a page: as many as a page of the API has. */
const POSTS = 50;

/** As many as the protocol allows. */
const MOST_PAGES = 50_000;

export function robots(siteUrl: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${siteUrl}/sitemap.xml\n`;
}

/** The list of the sitemaps. */
export async function sitemapIndex(api: Api, siteUrl: string): Promise<string> {
  const body = { created: "asc" as const, first: 1 };
  const { total_count = 0 } = await answer(api.POST("/posts/get", { body }));
  const pages = Math.min(Math.ceil(total_count / POSTS), MOST_PAGES - 1);
  const names = ["pages", ...Array.from({ length: pages }, (_, at) => `posts-${at + 1}`)];
  const lines = names.map((name) => `<sitemap><loc>${escaped(siteUrl)}/sitemaps/${name}.xml</loc></sitemap>\n`);
  return `<?xml version="1.0" encoding="utf-8"?>\n<sitemapindex xmlns="${NAMESPACE}">\n${lines.join("")}</sitemapindex>\n`;
}

/** The list of posts, the roadmap and the boards. */
export async function sitemapOfPages(api: Api, siteUrl: string): Promise<string> {
  const paths = (await allBoards().load(api)).map(({ url }) => pathOfBoard(url));
  return sitemapOf(["/", "/roadmap", ...paths].map((path) => ({ url: siteUrl + path })));
}

/** A page of posts, counted from 1, the oldest first. */
export async function sitemapOfPosts(api: Api, page: number, siteUrl: string): Promise<string> {
  const body = { created: "asc" as const, page, limit: POSTS };
  const { posts } = await answer(api.POST("/posts/get", { body }));
  if (posts.length === 0) throw new Failure(404, "POST_NOT_FOUND", `page ${page}`);
  return sitemapOf(posts.map(({ slug, updatedAt }) => ({ url: siteUrl + pathOfPost(slug), updatedAt })));
}

function sitemapOf(pages: { url: string; updatedAt?: string }[]): string {
  const lines = pages.map(({ url, updatedAt }) => {
    const changed = updatedAt ? `<lastmod>${updatedAt}</lastmod>` : "";
    return `<url><loc>${escaped(url)}</loc>${changed}</url>\n`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="${NAMESPACE}">\n${lines.join("")}</urlset>\n`;
}
