import { beforeAll, expect, it } from "vitest";
import { type Data, dataPage } from "../../../portal/pages/account/data-page.ts";
import { language, loadTexts, texts } from "../../../portal/text.ts";

beforeAll(async () => {
  texts.value = await loadTexts("en");
});

const NOTHING: Data = { account: null, posts: [], comments: [], votes: [], subscriptions: [], held: [], reports: [] };
const POST_ID = "01a2182c-98b9-75da-ab80-d573ee043ca3";
const at = "2026-11-26T14:05:28.279Z";

it("The page of own data leads from votes to their posts, and shows markup as text", () => {
  const title = `<img src=x onerror="alert(1)"> & more`;
  const account = { email: "ada@example.com", mails: { status: true } } as unknown as Data["account"];
  const post = { postId: POST_ID, title, slug: "more", contentMarkdown: "<b>Loud</b>", createdAt: at, updatedAt: at };
  const pages: Data[] = [
    { ...NOTHING, account, posts: [post] },
    { ...NOTHING, votes: [{ voteId: POST_ID, postId: POST_ID, createdAt: at }] },
    { ...NOTHING, held: [{ id: POST_ID, kind: "post", since: at, title: "A held <b>", text: null, forPost: null }] },
    { ...NOTHING, reports: [{ id: "one", postId: "reported", reportedAt: at, reason: "<i>" }] },
    { ...NOTHING, subscriptions: [{ postId: "another", isFollowing: false }] },
  ];
  const page = dataPage(pages, "https://feedback.example.com");
  const link = `<a href="https://feedback.example.com/posts/${POST_ID}" dir="auto">`;
  expect(page.split(`${link}&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; more</a>`)).toHaveLength(3);
  expect(page).toContain('<pre dir="auto">&lt;b&gt;Loud&lt;/b&gt;</pre>');
  expect(page).toContain("https://feedback.example.com/posts/another</a>: Off");
  expect(page).toContain("Of other people’s posts you only get the addresses");
  expect(page).toContain("A held &lt;b&gt;");
  expect(page).toContain("&lt;i&gt;");
  expect(page).not.toContain("<img");
  expect(page).not.toContain("<h2>My comments</h2>");
});

it.each<Partial<Data>>([
  { reports: [{ id: "one", postId: POST_ID, reportedAt: at, reason: null }] },
  { held: [{ id: "one", kind: "comment", since: at, title: null, text: "Me too", forPost: POST_ID }] },
])("The page of own data says why a post of another person has no title: %j", (more) => {
  const words = "Of other people’s posts you only get the addresses";
  expect(dataPage([{ ...NOTHING, ...more }], "https://feedback.example.com")).toContain(words);
  expect(dataPage([NOTHING], "https://feedback.example.com")).not.toContain(words);
});

it("The page of own data says in the reader's language what an account is set to", async () => {
  language.value = "de";
  texts.value = await loadTexts("de");
  const account = {
    userId: POST_ID,
    username: "ada-2",
    email: "ada@example.com",
    isVerified: true,
    newEmail: "ada@new.example",
    language: "ja",
    twoFactor: false,
    role: "moderator",
    createdAt: at,
    mails: { status: true, newPosts: false, digest: true },
    identities: [{ issuer: "https://id.example.com", linkedAt: at }],
    keys: [{ name: "Bot", lastFour: "9f3a", scopes: ["post:read"], createdAt: at }],
  } as unknown as Data["account"];
  const page = dataPage([{ ...NOTHING, account }], "https://feedback.example.com");
  language.value = "en";
  const rows = page.slice(page.indexOf("<table>"), page.indexOf("</table>"));
  // Each name of the API has become a word.
  const labels = [...rows.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, label]) => label);
  expect(labels).toEqual([
    "Nummer des Kontos",
    "Eindeutiger Name",
    "E-Mail",
    "E-Mail",
    "Neue E-Mail-Adresse, noch nicht bestätigt",
    "Sprache der E-Mails",
    "Anmeldung in zwei Schritten",
    "Rolle",
    "Konto erstellt",
    "Neuer Status oder Antwort des Teams",
    "Neue Beiträge",
    "Was auf das Team wartet, höchstens einmal in der Stunde",
    "Verknüpfte Anmeldungen",
    "Verknüpfte Anmeldungen",
    "API-Schlüssel",
  ]);
  for (const raw of ["true", "false", ">ja<", ">moderator<", `>${at}`]) expect(rows).not.toContain(raw);
  expect(rows).toContain("Bot (…9f3a): post:read");
  expect(page).not.toContain("Titel gehören nicht");
  expect(rows).toContain('<th scope="row">E-Mail</th><td dir="auto">ada@example.com</td>');
  expect(rows).toContain('Neue Beiträge</th><td dir="auto">Aus</td>');
  expect(page).toContain("overflow-wrap: anywhere");
});
