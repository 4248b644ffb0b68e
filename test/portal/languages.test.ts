import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { type Language, languages } from "../../portal/text.ts";
import { BROWSER } from "../support/process/browser.ts";
import { aPortal } from "../support/process/portal.ts";

const ACCOUNT = { email: "owner@example.com", password: "correct horse" };

const speaks = (page: Page, language: Language) => page.locator(`html[lang=${language}]`).waitFor();

/** Labels that do not fit, or that break within a line of tabs. */
const BROKEN = `[...document.querySelectorAll(":is(button, .button, .tabs a, select):not(.unseen)")].filter((element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const lines = element.matches(".tabs a") ? range.getClientRects().length : 1;
  return element.scrollWidth > element.clientWidth + 1 || lines > 1;
}).map((element) => element.innerText)`;

describe.skipIf(!BROWSER)("In another language the portal", () => {
  const portal = aPortal({ isSetUp: false });

  it("is set up, with statuses in the language that the page speaks", async () => {
    const page = await portal.open("/setup");
    const menu = page.getByRole("combobox", { name: "Language" });
    expect(await menu.locator("option").allInnerTexts()).toEqual(Object.values(languages).map(({ name }) => name));
    await menu.selectOption("日本語");
    await speaks(page, "ja");
    await page.getByLabel("名前").fill("葵");
    await page.getByLabel("メールアドレス").fill(ACCOUNT.email);
    await page.getByLabel("パスワード").fill(ACCOUNT.password);
    await page.getByRole("button", { name: "サイトの初期設定" }).click();
    await page.waitForURL("**/manage");
    await page.getByRole("link", { name: "ステータス", exact: true }).click();
    await expect.poll(() => page.locator(".item summary").allInnerTexts()).toHaveLength(5);
    const { statuses } = (await portal.call("GET", "/statuses")).body;
    expect(statuses.map(({ name }: { name: string }) => name)).toEqual(["受付中", "予定", "進行中", "完了", "見送り"]);
  });

  describe("once it is set up", () => {
    beforeAll(async () => {
      const isSetUp = (await portal.call("GET", "/auth/setup")).body.is_setup;
      const path = isSetUp ? "/auth/login" : "/auth/setup";
      portal.owner = (await portal.call("POST", path, undefined, ACCOUNT)).body.user.authToken;
    });

    it.each<[string, Language, string, string[]]>([
      ["ja-JP", "ja", "ダークモードを追加してほしい", ["ﾀﾞｰｸﾓｰﾄﾞ", "追加"]],
      ["fr-CA", "fr", "L’éditeur n’ouvre plus l’aperçu", ["l'éditeur", "apercu"]],
      ["es-419", "es", "Añadir la opción de exportación", ["opcion", "EXPORTACIÓN"]],
      ["pt-BR", "pt", "Integração com o calendário", ["integracao", "calendário"]],
    ])("finds a post by what people in %s type, at a readable address", async (locale, language, title, typed) => {
      await portal.post(title);
      const page = await portal.open("/", undefined, { language: locale });
      await speaks(page, language);
      for (const words of typed) {
        await page.getByRole("searchbox").fill("zzzz");
        await page.locator(".empty").waitFor();
        await page.getByRole("searchbox").fill(words);
        await page.getByRole("link", { name: title }).first().waitFor();
      }
      await page.getByRole("link", { name: title }).first().click();
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
      const [first = ""] = title.toLowerCase().split(/[ ’]/);
      expect(decodeURIComponent(page.url())).toContain(`/posts/${first}`);
    });

    it.each<Language>(["de", "es", "fr", "pt", "ja"])("has labels that fit 320 pixels in %s", async (language) => {
      const viewport = { width: 320, height: 720 };
      const page = await portal.open("/", portal.owner, { language, viewport });
      for (const path of ["/", "/profile", "/manage/webhooks"]) {
        await page.goto(path);
        await speaks(page, language);
        await page.locator("h1").waitFor();
        await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
        expect(await page.evaluate(BROKEN), path).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBeLessThanOrEqual(320);
        const links = page.locator("header > nav a");
        await links.nth(2).waitFor();
        const tops = await links.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
        expect(new Set(tops).size, path).toBe(1);
      }
    });
  });
});
