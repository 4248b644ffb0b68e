import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

const PATIENCE_MS = 60_000;

/** The words of a failed load, which tests cause on purpose. Complaints of the policy have other words. */
const LOST = /^Failed to load resource/;

/** A logo of 8 by 8 pixels on another host, as an owner may set it. */
export const PICTURE = "https://pictures.example/logo.svg";
export const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';

/** `page` is always open, and rests at a document without a script between two tests. */
type Profile = { context: BrowserContext; page: Page };

/** How a visitor reads who differs from the usual: English, wide, light, with scripts, in the zone of the machine. */
export type Reader = {
  /** As the browser sends it: `es-419`. */
  language?: string;
  viewport?: { width: number; height: number };
  media?: { colorScheme?: "dark"; forcedColors?: "active" };
  timeZone?: string;
  hasScripts?: boolean;
};

// As the profiles of these tests are.
const WINDOW = { width: 1280, height: 720 };
const MEDIA = { colorScheme: "light", forcedColors: "none", reducedMotion: "reduce" } as const;

/** What makes a page usual again. */
const undoings = new WeakMap<Page, (() => Promise<unknown>)[]>();

/** Undoes a change of a page of a profile after the test. */
export function undoLater(page: Page, undo: () => Promise<unknown>): void {
  undoings.set(page, [...(undoings.get(page) ?? []), undo]);
}

/** A script by which a person says yes to each question that a page asks before something ends. */
export const AGREES = `new MutationObserver(() => document.querySelector("dialog[open] button")?.click())
  .observe(document, { subtree: true, childList: true, attributeFilter: ["open"] })`;

/** Lets each document of a page of a profile begin with a script. */
export async function beginWith(page: Page, script: string): Promise<void> {
  const added = await page.addInitScript(script);
  undoLater(page, () => added.dispose());
}

/** Lets a page of a profile be as this reader's, which takes a tenth of the work of a profile with such options. */
export async function readAs(page: Page, reader: Reader): Promise<void> {
  const { language, viewport, media, timeZone, hasScripts = true } = reader;
  if (viewport) await page.setViewportSize(viewport);
  if (media) await page.emulateMedia(media);
  const session = await page.context().newCDPSession(page);
  // With its session end the changes that it made.
  undoLater(page, () => session.detach());
  if (language) {
    const { userAgent } = await session.send("Browser.getVersion");
    await session.send("Network.setUserAgentOverride", { userAgent, acceptLanguage: language });
  }
  if (timeZone) await session.send("Emulation.setTimezoneOverride", { timezoneId: timeZone });
  if (!hasScripts) await session.send("Emulation.setScriptExecutionDisabled", { value: true });
}

/** Lets a page be as a new one, at a document of the site without a script. */
async function makeNew(page: Page): Promise<void> {
  page.removeAllListeners();
  await page.unrouteAll();
  for (const undo of undoings.get(page) ?? []) await undo();
  undoings.delete(page);
  const { width, height } = page.viewportSize() ?? WINDOW;
  if (width !== WINDOW.width || height !== WINDOW.height) await page.setViewportSize(WINDOW);
  await page.emulateMedia(MEDIA);
  await page.goto("/robots.txt");
  await page.evaluate("sessionStorage.clear()");
}

/**
 * Profiles of a browser, for visitors of one site. A profile with its process takes most of the work of a visit, and a
 * new page twice the work of an address opened in an old one, so both are used again: with its other pages closed, its
 * storage empty and its routes gone, a profile is like a new one, but for the files of the site that it has loaded.
 */
export function profilesOf(browser: Browser, origin: string) {
  const complaints: string[] = [];
  const idle: Profile[] = [];
  const lent: Profile[] = [];
  const alone: BrowserContext[] = [];

  const watch = (context: BrowserContext): void => {
    const isOther = (url: string) => new URL(url).origin !== origin && url !== PICTURE;
    context.on("weberror", (each) => complaints.push(String(each.error())));
    context.on("console", (each) => each.type() === "error" && !LOST.test(each.text()) && complaints.push(each.text()));
    context.on("dialog", (each) => {
      // A test leaves a page whatever it has typed there.
      if (each.type() === "beforeunload") return each.accept();
      complaints.push(each.message());
      return each.dismiss();
    });
    context.on("request", (each) => isOther(each.url()) && complaints.push(`asked ${each.url()}`));
  };
  const make = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
    const usual = { baseURL: origin, locale: "en-GB", viewport: WINDOW, ...MEDIA };
    const context = await browser.newContext({ ...usual, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  const makeProfile = async (): Promise<Profile> => {
    const context = await make();
    const page = await context.newPage();
    await page.goto("/robots.txt");
    watch(context);
    return { context, page };
  };
  const empty = async ({ context, page }: Profile): Promise<void> => {
    for (const each of context.pages()) if (each !== page) await each.close();
    await context.unrouteAll();
    await context.setOffline(false);
    await makeNew(page);
    // Last, because a page that still starts writes both.
    await page.evaluate("localStorage.clear()");
    await context.clearCookies();
  };
  const lend = async (token?: string): Promise<Profile> => {
    const profile = idle.pop() ?? (await makeProfile());
    lent.push(profile);
    if (token) await profile.page.evaluate(`localStorage.setItem("token", ${JSON.stringify(token)})`);
    return profile;
  };

  return {
    /** The page of a profile that is signed in with the token; a further page takes more work. */
    enter: async (token?: string): Promise<Page> => (await lend(token)).page,
    /** A profile for a test that changes what stays with it, as its clock, or that has another device. Used once. */
    enterAlone: async (options?: BrowserContextOptions): Promise<BrowserContext> => {
      const context = await make(options);
      watch(context);
      alone.push(context);
      return context;
    },
    /** Takes all profiles back; what their pages complained about. */
    takeBack: async (): Promise<string[]> => {
      for (const context of alone.splice(0)) await context.close();
      for (const profile of lent.splice(0)) {
        await empty(profile);
        idle.push(profile);
      }
      return complaints.splice(0);
    },
    close: async (): Promise<void> => {
      for (const { context } of [...idle, ...lent]) await context.close();
    },
  };
}
