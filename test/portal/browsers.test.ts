import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { signIn } from "../support/process/entering.ts";
import { aPortal } from "../support/process/portal.ts";
import { beginWith } from "../support/process/profiles.ts";
import { openWithoutScript, profileIsWhole, scriptAnswers, typeTitle } from "../support/process/steady.ts";

// What people's browsers lack, block or do before the script is there.

/** APIs that are younger than the oldest browsers of docs/portal.md: Chrome 109, Firefox 115, Safari 16. */
const YOUNGER = [
  "URL.canParse",
  "URL.parse",
  "Array.fromAsync",
  "Array.prototype.toSpliced",
  "Array.prototype.toSorted",
  "Array.prototype.toReversed",
  "Array.prototype.with",
  "Object.groupBy",
  "Map.groupBy",
  "Promise.withResolvers",
  "Promise.try",
  "Set.prototype.union",
  "Set.prototype.difference",
  "String.prototype.isWellFormed",
  "String.prototype.toWellFormed",
  "Iterator",
  "Intl.Segmenter",
  "AbortSignal.any",
  "requestIdleCallback",
  "scheduler",
  "navigation",
  "Element.prototype.checkVisibility",
  "Document.prototype.startViewTransition",
];

const TAKE_AWAY = `
  for (const path of ${JSON.stringify(YOUNGER)}) {
    const names = path.split(".");
    const last = names.pop();
    const owner = names.reduce((at, name) => at?.[name], globalThis);
    if (owner) delete owner[last];
  }
  delete URLSearchParams.prototype.size;
`;

const BLOCK_STORAGE = `
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(window, name, { get() { throw new DOMException("blocked", "SecurityError"); } });
`;

const FILL_STORAGE = `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };`;

/** For the page: how much a text stands out from its ground (WCAG 2.2, 1.4.3). */
const contrastOf = `(text, ground) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const lightness = (color) => {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((each) => each / 255);
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  };
  const [dark, light] = [lightness(text), lightness(ground)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}`;

/** For the page: the same for a status of each colour. */
const contrastsOfStatuses = `(colors) => {
  const status = document.body.appendChild(document.createElement("span"));
  status.className = "status";
  return colors.map((color) => {
    status.style.setProperty("--color", "#" + color);
    const { color: text, backgroundColor } = getComputedStyle(status);
    return (${contrastOf})(text, backgroundColor);
  });
}`;

/**
 * For the page: the least contrast of what stands on the tint of each site's colour: the number of votes, a link of the
 * header, and the arrow, of which a third less is enough (1.4.11).
 */
const leastOnTint = `(colors) => {
  const part = document.body.appendChild(document.createElement("span"));
  const paint = (name) => {
    part.style.color = "var(--" + name + ")";
    return getComputedStyle(part).color;
  };
  return Math.min(...colors.flatMap((color) => {
    document.documentElement.style.setProperty("--brand", "#" + color);
    const on = (name) => (${contrastOf})(paint(name), paint("tint"));
    return [on("text"), on("quiet"), on("accent") * 1.5];
  }));
}`;

describe.skipIf(!BROWSER)("Of the portal", () => {
  const portal = aPortal();

  describe("the pages", () => {
    /** A page of a browser that begins each document with a script. */
    const openWith = async (script: string, path: string, token?: string): Promise<Page> => {
      const page = await portal.enter(token);
      await beginWith(page, script);
      await page.goto(path);
      return page;
    };

    it.each([
      ["younger APIs are missing", TAKE_AWAY],
      ["storage is blocked", BLOCK_STORAGE],
      ["storage is full", FILL_STORAGE],
    ])("search, sort, sign in, vote and post where %s", async (name, script) => {
      await portal.join(`Old ${name}`);
      const title = `Reading where ${name}`;
      await portal.post(title);
      const page = await openWith(script, "/");
      await page.getByRole("link", { name: "New", exact: true }).click();
      await page.waitForURL("**/?order=newest");
      await page.getByRole("searchbox").fill(title);
      await page.waitForURL(/q=/);
      // Until then the list before it is shown, and moves away.
      await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
      await page.getByRole("button", { name: `Vote for ${title},` }).click();
      await signIn(page, `old${name.replace(/\W/g, "")}@example.com`.toLowerCase());
      await page.locator(".vote[aria-pressed=true]").waitFor();
      await page.getByRole("link", { name: "New post", exact: true }).click();
      await typeTitle(page, `Written where ${name}`);
      await page.getByRole("button", { name: "Publish" }).click();
      await page.getByRole("heading", { name: `Written where ${name}` }).waitFor();
    });

    it("name in the address what the team has chosen, where younger APIs are missing", async () => {
      const page = await openWith(TAKE_AWAY, "/manage/waiting", portal.owner);
      await page.getByLabel("Order").selectOption("oldest");
      await page.waitForURL("**/manage/waiting?order=oldest");
      await page.goto("/manage/figures");
      await page.getByLabel("Period").selectOption("Last 7 days");
      await page.waitForURL(/\/manage\/figures\?from=[\d-]+&to=[\d-]+$/);
      await page.getByRole("figure").first().getByText("As a table").click();
      await expect.poll(() => page.getByRole("figure").first().getByRole("row").count()).toBe(1 + 7);
      await page.goto("/manage/audit");
      await page.getByLabel("Kind of change").selectOption("Boards");
      await page.waitForURL("**/manage/audit?action=board");
    });

    it("search without a script, on a board within it", async () => {
      const { url } = (await portal.call("POST", "/boards", portal.owner, { name: "Paper" })).body.board;
      const page = await portal.open(`/boards/${url}?status=open`, undefined, { hasScripts: false });
      await page.getByRole("searchbox").fill("plain words");
      await page.getByRole("searchbox").press("Enter");
      await expect.poll(() => page.title()).toContain("Search: plain words");
      expect(page.url()).toMatch(/\/boards\/paper\?q=plain\+words&status=open$/);
    });

    it("send no form before the script is there, and put nothing into the address", async () => {
      const page = await portal.open("/", undefined, { hasScripts: false });
      const asked: string[] = [];
      page.on("request", (each) => each.isNavigationRequest() && asked.push(each.url()));
      for (const path of ["/sign-in", "/sign-up", "/password-reset", "/password-reset/confirm?token=x", "/new"]) {
        await page.goto(path);
        asked.length = 0;
        for (const field of await page.locator("form input:not([type=checkbox]):visible").all())
          await field.fill("a@b.example");
        await page.locator("form input:visible").last().press("Enter");
        expect(await page.locator("main form").first().getAttribute("method"), path).toBe("post");
        expect(await page.getByRole("button", { name: /./ }).last().isDisabled(), path).toBe(true);
        expect(await page.locator("form noscript").first().textContent(), path).toContain("need JavaScript");
        expect(asked, path).toEqual([]);
      }
    });

    it("drop what an old form has put into an address", async () => {
      const page = await portal.open("/new?title=Kept&email=a%40b.example&password=tides");
      expect(page.url()).toMatch(/\/new\?title=Kept$/);
      await page.goto(`/sign-in?next=${encodeURIComponent("/new?email=a%40b.example&password=tides")}`);
      expect(page.url()).toMatch(/\/sign-in$/);
    });

    it("have the site's colour from the first paint, without a script and in both themes, with a text that reads", async () => {
      const paintOf = `(() => {
        const { backgroundColor, color } = getComputedStyle(document.querySelector(".primary"));
        return backgroundColor + " " + color;
      })()`;
      const pages = [await portal.open("/"), await portal.open("/", undefined, { hasScripts: false })];
      for (const [accentColor, paint] of [
        ["ffe14d", "rgb(255, 225, 77) rgb(0, 0, 0)"],
        ["1b1464", "rgb(27, 20, 100) rgb(255, 255, 255)"],
      ]) {
        await portal.call("PATCH", "/settings/site", portal.owner, { accentColor });
        for (const page of pages) {
          await page.goto("/");
          for (const colorScheme of ["light", "dark"] as const) {
            await page.emulateMedia({ colorScheme });
            expect(await page.evaluate(paintOf)).toBe(paint);
          }
        }
      }
    });

    it("come from the server in the language that the reader has chosen", async () => {
      const page = await portal.open("/");
      await page.getByLabel("Language").selectOption("Deutsch");
      await page.getByRole("link", { name: "Anmelden" }).waitFor();
      const answer = await page.goto("/roadmap");
      const html = (await answer?.text()) ?? "";
      expect(html).toContain('<html lang="de">');
      expect(html).toContain(">Anmelden</a>");
    });

    it("keep a draft for the person who typed it alone", async () => {
      const { slug } = await portal.post("A shared computer");
      await portal.join("Ada");
      await portal.join("Bo");
      const page = await portal.open(`/sign-in?next=/posts/${slug}`);
      const comment = page.getByRole("textbox", { name: "Comment" });
      await signIn(page, "ada@example.com");
      await comment.fill("Ada's secret");
      await page.evaluate("localStorage.clear()");
      await page.goto(`/sign-in?next=/posts/${slug}`);
      await signIn(page, "bo@example.com");
      await comment.waitFor();
      expect(await comment.inputValue()).toBe("");
      await page.evaluate("localStorage.clear()");
      await page.goto(`/sign-in?next=/posts/${slug}`);
      await signIn(page, "ada@example.com");
      await expect.poll(() => comment.inputValue()).toBe("Ada's secret");
      // A sign-out by the button forgets it.
      await page.getByRole("button", { name: "Account", exact: true }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("status").getByText("You are signed out on this device.").waitFor();
      await page.goto(`/sign-in?next=/posts/${slug}`);
      await signIn(page, "ada@example.com");
      await comment.waitFor();
      expect(await comment.inputValue()).toBe("");
    });

    it("ask nothing that is refused at a sign-out", async () => {
      const page = await portal.open("/profile", await portal.join("Otto"));
      await profileIsWhole(page);
      const refused: string[] = [];
      page.on("response", (each) => each.status() >= 400 && refused.push(each.url()));
      await page.getByRole("button", { name: "Sign out on all devices" }).click();
      await page.getByRole("status").getByText("You are signed out on all devices.").waitFor();
      await page.getByRole("link", { name: "Sign in" }).waitFor();
      expect(refused).toEqual([]);
    });

    it("read the subscription once for a post, and not again for a vote", async () => {
      const { slug } = await portal.post("Read once");
      const page = await portal.enter(await portal.join("Una"));
      let reads = 0;
      page.on("request", (each) => each.method() === "GET" && each.url().endsWith("/subscription") && reads++);
      // The button is there before: a vote while the subscription is being read has it read again.
      const read = page.waitForResponse(/subscription$/);
      await page.goto(`/posts/${slug}`);
      await (await read).finished();
      await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
      await page.locator(".vote").click();
      await page.getByRole("button", { name: "Stop following" }).waitFor();
      expect(reads).toBe(1);
    });

    it("end a sentence where something else begins", async () => {
      const token = await portal.join("Ned");
      const { slug, postId } = await portal.post("Sentences", {}, token);
      await portal.call("POST", `/posts/${postId}/comments`, token, { body: "Not for long" });
      const page = await portal.open(`/posts/${slug}`, token);
      await page.locator(".comments").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
      await page.locator(".notice", { hasText: "Deleted" }).waitFor();
      await page.getByRole("button", { name: "Edit" }).click();
      expect(await page.locator(".notice").innerText()).toBe("");
    });

    it("leave the keyboard at the next row after a deletion, and at the heading after the last", async () => {
      for (const name of ["First", "Second"]) await portal.call("POST", "/roadmaps", portal.owner, { name });
      const page = await portal.open("/manage/roadmaps", portal.owner);
      const question = page.getByRole("alertdialog");
      const first = page.getByRole("button", { name: "Delete First" });
      await first.press("Enter");
      await question.getByText("Delete First?", { exact: true }).waitFor();
      await question.getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).press("Enter");
      await first.and(page.locator(":focus[aria-busy=false]")).press("Enter");
      await question.getByRole("button", { name: "Delete" }).press("Enter");
      await page.locator("summary:focus", { hasText: "Second" }).waitFor();
      await page.getByRole("button", { name: "Delete Second" }).press("Enter");
      await question.getByRole("button", { name: "Delete" }).press("Enter");
      await page.locator("h1:focus", { hasText: "Roadmaps" }).waitFor();
    });

    it("leave the keyboard at what leads to the next row, not at what acts, where a row goes by itself", async () => {
      const page = await portal.open("/?order=newest", portal.owner);
      const rows = page.locator(".row");
      const titles = await rows.locator("h2").allInnerTexts();
      await rows.first().locator(".vote").focus();
      await rows.first().evaluate((row: { remove: () => void }) => row.remove());
      await page.locator(".row h2 a:focus", { hasText: titles[1] ?? "" }).waitFor();
    });

    it("name all mistakes of a form at their fields, and keep the rules in sight", async () => {
      const page = await portal.open("/sign-up");
      await page.getByLabel("Email").fill("nobody");
      await page.getByRole("button", { name: "Create an account" }).click();
      for (const words of ["Please fill this in.", "This is not a valid email address."]) {
        await page.getByText(words).first().waitFor();
      }
      await page.locator("[name=name]:focus").waitFor();
      await page.getByLabel("Name").fill("Ro");
      // A corrected field loses its message; the others keep theirs.
      await page.locator("[name=name]:not([aria-invalid])").waitFor();
      expect(await page.locator("[aria-invalid]").count()).toBe(2);
      await page.getByLabel("Email").fill("owner@example.com");
      await page.getByLabel("Password").fill("correct horse");
      await page.getByRole("button", { name: "Create an account" }).click();
      await page.locator("[name=email]:focus").waitFor();
      expect(await page.getByLabel("Email").getAttribute("aria-invalid")).toBe("true");
      await page.getByText("At least 8 characters.").waitFor();
      await page.getByText("Is it yours?").waitFor();
      await page.getByLabel("Email").fill("another@example.com");
      expect(await page.getByText("Is it yours?").count()).toBe(0);
      await page.getByRole("button", { name: "Show the password" }).click();
      expect(await page.locator("input[type=text][name=password]").inputValue()).toBe("correct horse");
    });

    it("write Arabic and Hebrew from the right", async () => {
      const { slug } = await portal.post("دعم اللغة العربية (v2.0)!", { contentMarkdown: "- שלום\n- עולם 100 %" });
      const page = await portal.open("/?order=newest");
      const direction = (selector: string) =>
        page.evaluate(`getComputedStyle(document.querySelector("${selector}")).direction`);
      await page.locator(`.row a[href="/posts/${encodeURI(slug)}"], .row a[href="/posts/${slug}"]`).waitFor();
      expect(await direction(".row h2:has(a[href*='/posts/د'])")).toBe("rtl");
      await page.goto(`/posts/${slug}`);
      await page.locator(".prose li").first().waitFor();
      expect(await direction("h1")).toBe("rtl");
      expect(await direction(".prose ul")).toBe("rtl");
    });

    it("say what is chosen without colours", async () => {
      await portal.post("In contrast");
      const page = await portal.open("/", await portal.join("Hana"), { media: { forcedColors: "active" } });
      const border = (selector: string) =>
        page.evaluate(`getComputedStyle(document.querySelector("${selector}")).borderTopWidth`);
      expect(await border(".tabs [aria-current]")).not.toBe(await border(".tabs a:not([aria-current])"));
      const before = await border(".vote");
      await page.locator(".vote").first().click();
      await page.locator(".vote[aria-pressed=true]").first().waitFor();
      expect(await border(".vote[aria-pressed=true]")).not.toBe(before);
    });

    it("have the theme that was chosen by keyboard, in all tabs, and before the page's script runs", async () => {
      const page = await portal.open("/", undefined, { media: { colorScheme: "dark" } });
      const background = (of: Page) => of.evaluate("getComputedStyle(document.documentElement).backgroundColor");
      const dark = await background(page);
      const other = await page.context().newPage();
      await other.emulateMedia({ colorScheme: "dark" });
      await other.goto("/roadmap");
      const theme = page.getByRole("combobox", { name: "Theme" });
      await theme.focus();
      await page.keyboard.press("L");
      await expect.poll(() => background(page)).not.toBe(dark);
      const light = await background(page);
      await expect.poll(() => background(other)).toBe(light);
      expect(await other.getByRole("combobox", { name: "Theme" }).inputValue()).toBe("light");
      await page.route("**/assets/browser-*", () => {});
      await page.reload({ waitUntil: "commit" });
      await page.locator("h1").waitFor();
      await expect.poll(() => background(page)).toBe(light);
      await page.unroute("**/assets/browser-*");
      await page.reload();
      await theme.focus();
      await page.keyboard.press("S");
      await expect.poll(() => background(page)).toBe(dark);
    });

    it("carry out a press that came before the page's script, once", async () => {
      const { slug } = await portal.post("Pressed on a slow phone");
      const page = await portal.enter(await portal.join("Pia"));
      const letGo = await openWithoutScript(page, `/posts/${slug}`);
      await page.locator(".vote").dblclick();
      letGo();
      await page.locator(".vote[aria-pressed=true]").waitFor();
      const counted = async () => (await portal.call("POST", "/posts/slug", undefined, { slug })).body.post.voters;
      await expect.poll(async () => (await counted()).votesCount).toBe(1);
    });

    it("hear what was typed and chosen before their script, and keep what was typed in an earlier visit", async () => {
      await portal.post("Heard a moment later");
      const page = await portal.open("/new");
      const title = page.getByLabel("Title", { exact: true });
      const details = page.getByLabel("Details");
      await title.fill("Thought of yesterday");
      await details.fill("Of yesterday");
      const letDraftGo = await openWithoutScript(page, "/new");
      await title.fill("Heard moment");
      letDraftGo();
      await page.getByRole("link", { name: "Heard a moment later" }).waitFor();
      await page.reload();
      await expect.poll(() => title.inputValue()).toBe("Heard moment");
      await expect.poll(() => details.inputValue()).toBe("Of yesterday");
      const letListGo = await openWithoutScript(page, "/");
      await page.getByRole("searchbox").fill("heard");
      await page.getByLabel("Language").focus();
      await page.getByLabel("Language").selectOption("Deutsch");
      letListGo();
      await page.waitForURL("**/?q=heard");
      await page.getByRole("link", { name: "Anmelden" }).waitFor();
    });

    const PAGES = ["/", "/new", "/sign-in", "/sign-up", "/password-reset", "/setup", "/roadmap", "/gone"];

    it("move nothing that a person may be typing in when their script comes", async () => {
      const { slug } = await portal.post("Typed on a slow phone");
      const page = await portal.enter();
      for (const path of [...PAGES, `/posts/${slug}`]) {
        const letGo = await openWithoutScript(page, path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.evaluate(`
          moved = [];
          new MutationObserver((changes) => {
            for (const { removedNodes } of changes)
              for (const node of removedNodes) if (node.isConnected) moved.push(node.outerHTML);
          }).observe(document.getElementById("app"), { subtree: true, childList: true })`);
        letGo();
        await scriptAnswers(page);
        expect(await page.evaluate("moved"), path).toEqual([]);
      }
    });

    it.each(["a visitor", "a member"])("leave the keyboard in the field in which %s types early", async (who) => {
      const isMember = who === "a member";
      const { slug } = await portal.post(`Read by ${who} on a slow phone`);
      const page = await portal.enter(isMember ? await portal.join("Ulla") : undefined);
      const fields = new Map([
        ["/new", "Title"],
        [`/posts/${slug}`, "Comment"],
        ["/", "Search titles"],
      ]);
      if (!isMember) fields.set("/sign-in", "Email");
      for (const [path, label] of fields) {
        const letGo = await openWithoutScript(page, path);
        const field = page.getByLabel(label, { exact: true }).and(page.locator("input, textarea"));
        await field.pressSequentially("wri");
        letGo();
        await scriptAnswers(page);
        await page.keyboard.type("tten");
        expect(await field.inputValue(), path).toBe("written");
      }
    });

    it("let every status be read, whatever its colour", async () => {
      const page = await portal.open("/");
      const colors = ["000000", "ffffff", "ffff00", "00ff00", "0000ff", "ff00ff", "8b8f99", "f59e0b", "64748b"];
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const contrasts = (await page.evaluate(`(${contrastsOfStatuses})(${JSON.stringify(colors)})`)) as number[];
        expect(contrasts.length).toBe(colors.length);
        expect(Math.min(...contrasts), colorScheme).toBeGreaterThanOrEqual(4.5);
      }
    });

    it("let votes and the header be read, whatever the colour of the site", async () => {
      await portal.post("On a tint");
      const page = await portal.open("/");
      const colors = [
        "000000",
        "ffffff",
        "ffff00",
        "00ff00",
        "0000ff",
        "ff00ff",
        "ff0000",
        "00ffff",
        "484d7c",
        "8b8f99",
      ];
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const tint = "getComputedStyle(document.querySelector('.row .vote')).backgroundColor";
        expect(await page.evaluate(tint), colorScheme).not.toMatch(/^rgb\((255, ){2}255\)$|transparent/);
        expect(await page.evaluate(`(${leastOnTint})(${JSON.stringify(colors)})`), colorScheme).toBeGreaterThanOrEqual(
          4.5,
        );
      }
    });

    it("say how long ago in whole days, and put nothing into the future", async () => {
      const { slug } = await portal.post("Written now");
      const written = Date.now();
      const page = await (await portal.enterAlone()).newPage();
      const words = async (days: number) => {
        await page.clock.setFixedTime(written + days * 86_400_000);
        await page.goto(`/posts/${slug}`);
        await page.getByRole("heading", { name: "Written now" }).waitFor();
        return page.locator("time").first();
      };
      await (await words(1.9)).getByText("1 day ago").waitFor();
      await (await words(59)).getByText("1 month ago").waitFor();
      await (await words(-2)).getByText("just now").waitFor();
    });
  });
});
