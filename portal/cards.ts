import { type Api, answer, Failure } from "./api.ts";
import type { Answer, AnswerPage } from "./build.ts";
import { cardOf, markOf } from "./cards/card.ts";
import { draw } from "./cards/draw.ts";
import { partsOf, pathOfCard, readable } from "./server/addresses.ts";
import { failedAnswer, leadTo, orFailed, unlessKnown } from "./server/answers.ts";
import { clientFor, handlerOf } from "./server/lambda.ts";
import { site } from "./site.ts";

// The function that draws what previews of links and devices show of the portal. It is apart from the pages' function,
// so that a flood of pictures keeps nobody from a page.

async function cardOfPost(api: Api, slug: string): Promise<Buffer | string> {
  const read = answer(api.POST("/posts/slug", { body: { slug } }));
  const [{ title: name, accentColor }, { post }] = await Promise.all([site().load(api), read]);
  if (!post) throw new Failure(404, "POST_NOT_FOUND", slug);
  if (post.slug !== slug) return pathOfCard(post.slug);
  const { title, status } = post;
  const votes = String(post.voters.votesCount);
  return draw(cardOf({ site: name, color: accentColor, title, votes, status }), [name, title, status.name, votes]);
}

async function cardOfSite(api: Api): Promise<Buffer> {
  const { title, description, accentColor } = await site().load(api);
  return draw(cardOf({ site: title, color: accentColor, title, description }), [title, description ?? ""]);
}

async function iconOfSite(api: Api): Promise<Buffer> {
  const { title, accentColor } = await site().load(api);
  return draw(markOf(title, accentColor, 180), [title.toLocaleUpperCase()]);
}

/** The picture at an address, or the address of another one. */
function pictureAt(path: string, api: Api): Promise<Buffer | string> | undefined {
  const [, slug] = /^\/cards\/posts\/([^/]+)\.png$/.exec(path) ?? [];
  if (slug !== undefined) return cardOfPost(api, decodeURIComponent(slug));
  if (path === "/cards/site.png") return cardOfSite(api);
  return path === "/cards/icon.png" ? iconOfSite(api) : undefined;
}

const HEADERS = { "content-type": "image/png", "cache-control": "public, max-age=3600" };

function answerWith(picture: Buffer | string): Answer {
  if (typeof picture === "string") return leadTo(picture, 301);
  return { statusCode: 200, headers: HEADERS, body: picture.toString("base64"), isBase64Encoded: true };
}

async function answerAt(path: string, api: Api): Promise<Answer> {
  const picture = await pictureAt(path, api);
  return picture === undefined ? failedAnswer({ status: 404 }) : answerWith(picture);
}

export const answerPage: AnswerPage = async (asked, headers, { api }) =>
  unlessKnown(await orFailed(answerAt(partsOf(readable(asked)).path, clientFor(headers, api))), headers);

export const handler = handlerOf(answerPage);
