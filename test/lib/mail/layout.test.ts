import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Mail } from "../../../lib/accounts/outbox.ts";
import type { Site } from "../../../lib/accounts/site.ts";
import { type Letter, laidOut } from "../../../lib/mail/layout.ts";
import { letterOf } from "../../../lib/mail/letters.ts";
import { de, dePage } from "../../../lib/mail/texts/de.ts";
import { en, enPage } from "../../../lib/mail/texts/en.ts";
import { es, esPage } from "../../../lib/mail/texts/es.ts";
import { fr, frPage } from "../../../lib/mail/texts/fr.ts";
import { ja, jaPage } from "../../../lib/mail/texts/ja.ts";
import { pt, ptPage } from "../../../lib/mail/texts/pt.ts";
import { LANGUAGES } from "../../../lib/values/languages.ts";
import { breaksFrench, partsJapanese } from "../../support/typography.ts";

const site = { title: "Café <Ünique>", logo: "https://example.com/logo.png?a=1&b=2" } as Site;

const templates = Mail.shape.template.options;

function letter(template: (typeof templates)[number]): Letter {
  return letterOf(
    { sk: "a", to: "ada@example.com", template },
    site,
    { orderedAt: 0, language: "en" },
    { token: "t0ken" },
  );
}

describe("A letter", () => {
  it.each(templates)("says the same in plain text and in HTML, for the kind %s", (template) => {
    const { subject, text, html } = letter(template);
    expect(html).toContain(`<title>${subject.replace("<", "&lt;").replace(">", "&gt;")}</title>`);
    const words = html
      .replace(/<(head)>.*<\/\1>/s, "")
      .replace(/<a [^>]*href="([^"]*)"[^>]*>/g, " $1 ")
      .replace(/<[^>]+>/g, " ")
      .replace(/&lt;|&gt;|&quot;|&#39;/g, " ")
      .replaceAll("&amp;", "&");
    const missing = text.split(/[\s<>"':]+/).filter((word) => !words.includes(word));
    // The line that ends a mail is the text's own.
    expect(missing).toEqual(["--"]);
  });

  it.each(templates)("says that a program has sent it, for the kind %s", (template) => {
    expect(letter(template).headers).toEqual({ "Auto-Submitted": "auto-generated" });
  });

  it("shows texts in their own direction", () => {
    const { html } = letter("welcome");
    expect(html.match(/<p\b(?![^>]* dir="auto")[^>]*>/g)).toEqual(["<p>"]);
    expect(html).toContain('<p><a class="button"');
  });

  it.each([
    ["the colour of the site", "ffd400", "000000"],
    ["a dark one", "123456", "ffffff"],
    ["the first one", undefined, "ffffff"],
  ])("has a button that can be read, in %s", (_, accentColor, text) => {
    const mail = { sk: "a", to: "ada@example.com", template: "welcome" } as const;
    const { html } = letterOf(mail, { ...site, accentColor }, { orderedAt: 0, language: "en" }, { token: "t0ken" });
    const color = accentColor ?? "484d7c";
    expect(html).toContain(`<a class="button" style="background: #${color}; color: #${text}" href=`);
  });

  it("names the site and shows its logo, escaped", () => {
    const { text, html } = letter("welcome");
    expect(text).toContain("Your account at Café <Ünique> is ready.");
    expect(html).toContain("Your account at Café &lt;Ünique&gt; is ready.");
    expect(html).toContain('<img src="https://example.com/logo.png?a=1&amp;b=2" alt="">');
    expect(html).not.toContain("<Ünique>");
  });

  it("escapes every text that it is given", () => {
    const evil = `"'><script>&`;
    const content = {
      language: "en" as const,
      subject: evil,
      before: evil,
      link: { label: evil, url: `https://a/${evil}` },
      after: evil,
    };
    const { html } = laidOut("ada@example.com", content, { title: evil, logo: evil } as Site);
    expect(html).not.toMatch(/<script>|"'>|&(?!amp;|lt;|gt;|quot;|#39;)/);
  });
});

describe("The texts of the mails", () => {
  it("are there in each language", () => {
    expect(readdirSync("lib/mail/texts").sort()).toEqual(LANGUAGES.map((language) => `${language}.ts`).sort());
  });

  const others = { de: [de, dePage], es: [es, esPage], fr: [fr, frPage], ja: [ja, jaPage], pt: [pt, ptPage] } as const;

  describe.each(Object.entries(others))("in the language %s", (_, [mails, page]) => {
    it("have the keys of the English ones, in the same order", () => {
      expect(Object.keys(mails)).toEqual(Object.keys(en));
      expect(Object.keys(page)).toEqual(Object.keys(enPage));
    });

    it("keep the places for values of the English ones", () => {
      const places = (text: string) => text.match(/\{\w+\}/g)?.sort() ?? [];
      const texts: Record<string, string> = { ...mails, ...page };
      for (const [name, text] of Object.entries({ ...en, ...enPage })) {
        expect(places(texts[name] ?? ""), name).toEqual(places(text));
      }
    });
  });

  it("break no line before a French mark", () => {
    expect(Object.values({ ...fr, ...frPage }).filter((text) => breaksFrench(text))).toEqual([]);
  });

  it("have no space beside a Japanese mark", () => {
    expect(Object.values({ ...ja, ...jaPage }).filter((text) => partsJapanese(text))).toEqual([]);
  });
});
