import type { Schemas } from "../../api.ts";
import { type Language, language, languages, momentText, t } from "../../text.ts";
import { accountText } from "./account-text.ts";
import { firstText } from "./first-text.ts";

// A page of what the service holds of a person, for a file that opens in every browser, also without the service.

export type Data = Omit<Schemas["PersonalData"], "page_info">;

const STYLE = `body { max-width: 45rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere }
h2 { margin-top: 2.5rem } li { margin: 0.75rem 0 } pre { white-space: pre-wrap; font: inherit; margin: 0.25rem 0 }
th { text-align: start; vertical-align: top; padding-inline-end: 1rem; overflow-wrap: normal } small { opacity: 0.7 }`;

type Role = Schemas["ExportedAccount"]["role"];

/** The kinds of mails that a person switches on or off. */
const MAILS = ["status", "comments", "replies", "ownPosts", "newPosts", "digest"] as const;

/** The values of an account that the portal shows nowhere else. */
const NAMED = ["userId", "username", "avatar", "newEmail", "role", "createdAt"] as const;

/** The names of times, such as `createdAt`. */
const TIME = /[a-z]At$/;

const MARKS: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => MARKS[mark] ?? mark);
}

function timeText(at: string): string {
  return `<small><time datetime="${escaped(at)}">${escaped(momentText(at))}</time></small>`;
}

function textBlock(text: string | null): string {
  return text ? `<pre dir="auto">${escaped(text)}</pre>` : "";
}

function section(title: string, items: string[]): string {
  const list = items.map((item) => `<li>${item}</li>`).join("\n");
  return items.length > 0 ? `<section>\n<h2>${escaped(title)}</h2>\n<ul>\n${list}\n</ul>\n</section>\n` : "";
}

/** The values of an account by their paths, such as `mails.status`. */
function rowsOf(value: unknown, path = ""): [path: string, value: unknown][] {
  if (value === null || value === undefined) return [];
  if (typeof value !== "object") return [[path, value]];
  return Object.entries(value).flatMap(([name, part]) => rowsOf(part, path ? `${path}.${name}` : name));
}

/** What the portal calls a value of an account; a later one has its name of the API until it has a word. */
function labelOf(path: string): string {
  const labels: Record<string, string> = {
    name: t("name"),
    email: t("email"),
    isVerified: t("email"),
    twoFactor: accountText("twoFactor"),
    language: accountText("mailLanguage"),
  };
  for (const name of NAMED) labels[name] = firstText(`data_${name}`);
  for (const kind of MAILS) labels[`mails.${kind}`] = accountText(`mails_${kind}`);
  const isIdentity = path.startsWith("identities.");
  return labels[path] ?? (isIdentity ? accountText("linkedSignIns") : path);
}

/** An API key in one row: its name and last letters, what it may do, and since when it is there. */
function keyRow({ name, lastFour, scopes, createdAt }: Schemas["ApiKey"]): string {
  const words = escaped(`${name} (…${lastFour}): ${scopes.join(", ")}`);
  return rowOf(firstText("data_keys"), `${words} ${timeText(createdAt)}`);
}

/** A row of the table of the account; `value` is HTML. */
function rowOf(label: string, value: string): string {
  return `<tr><th scope="row">${escaped(label)}</th><td dir="auto">${value}</td></tr>`;
}

function accountRows(account: Data["account"]): string[] {
  if (!account) return [];
  const { keys = [], ...values } = account;
  const rows = rowsOf(values).map(([path, value]) => rowOf(labelOf(path), valueBlock(path, value)));
  return [...rows, ...keys.map(keyRow)];
}

/** A value as the reader writes it, in HTML. */
function valueBlock(path: string, value: unknown): string {
  if (path === "isVerified") return escaped(accountText(value ? "confirmed" : "unconfirmed"));
  if (path === "role") return escaped(t(value as Role));
  if (path === "language") return languages[value as Language].name;
  if (typeof value === "boolean") return escaped(accountText(value ? "isOn" : "isOff"));
  return TIME.test(path) ? timeText(String(value)) : escaped(String(value));
}

/** The whole page. `site` is the address that links to posts begin with. */
export function dataPage(pages: Data[], site: string): string {
  const titles = new Map(pages.flatMap(({ posts }) => posts).map(({ postId, title }) => [postId, title]));
  const linkTo = (postId: string) => {
    const address = escaped(`${site}/posts/${postId}`);
    return `<a href="${address}" dir="auto">${escaped(titles.get(postId) ?? `${site}/posts/${postId}`)}</a>`;
  };
  const all = <K extends "posts" | "comments" | "votes" | "subscriptions" | "held" | "reports">(kind: K) =>
    pages.flatMap((page) => page[kind] as Data[K][number][]);
  const named = [...all("comments"), ...all("votes"), ...all("subscriptions"), ...all("reports")];
  const ids = [...named.map(({ postId }) => postId), ...all("held").flatMap(({ forPost }) => forPost ?? [])];
  const hasOthers = ids.some((id) => !titles.has(id));
  const account = accountRows(pages[0]?.account ?? null);
  const title = escaped(accountText("ownData"));
  return `<!doctype html>
<html lang="${language.value}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
<h1>${title}</h1>
<section>
<h2>${escaped(t("account"))}</h2>
<table>
${account.join("\n")}
</table>
</section>
${hasOthers ? `<p>${escaped(firstText("othersTitles"))}</p>\n` : ""}${section(
  t("my_posts"),
  all("posts").map((post) => `${linkTo(post.postId)} ${timeText(post.createdAt)}${textBlock(post.contentMarkdown)}`),
)}${section(
  firstText("myComments"),
  all("comments").map(
    (comment) => `${linkTo(comment.postId)} ${timeText(comment.created_at)}${textBlock(comment.body)}`,
  ),
)}${section(
  accountText("heldThings"),
  all("held").map(({ title, text, forPost, since }) => {
    const name = forPost ? linkTo(forPost) : escaped(title ?? "");
    return `${name} ${timeText(since)}${textBlock(text)}`;
  }),
)}${section(
  t("my_votes"),
  all("votes").map(({ postId, createdAt }) => `${linkTo(postId)} ${timeText(createdAt)}`),
)}${section(
  firstText("followedPosts"),
  all("subscriptions").map(
    ({ postId, isFollowing }) => `${linkTo(postId)}: ${accountText(isFollowing ? "isOn" : "isOff")}`,
  ),
)}${section(
  firstText("ownReports"),
  all("reports").map(
    ({ postId, reportedAt, reason }) => `${linkTo(postId)} ${timeText(reportedAt)}${textBlock(reason)}`,
  ),
)}</html>
`;
}
