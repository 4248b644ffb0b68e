import type { Browser, BrowserContext, Page } from "playwright-core";

const PATIENCE_MS = 60_000;

/** The words of a failed load, which tests cause on purpose. Complaints of the policy have other words. */
const LOST = /^Failed to load resource/;

/** A logo of 8 by 8 pixels on another host, as an owner may set it. */
export const PICTURE = "https://pictures.example/logo.svg";
export const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';

/** `keeper` is a page that is always open: it keeps the profile's process, and empties its storage. */
type Profile = { context: BrowserContext; keeper: Page };

/** How a visitor reads who differs from the usual: English, wide, light, with scripts, in the zone of the machine. */
export type Reader = {
  /** As the browser sends it: `es-419`. */
  language?: string;
  viewport?: { width: number; height: number };
  media?: { colorScheme?: "dark"; forcedColors?: "active" };
  timeZone?: string;
  hasScripts?: boolean;
};

/** Lets a page of a profile be as this reader's, which takes a tenth of the work of a profile with such options. */
export async function readAs(page: Page, reader: Reader): Promise<void> {
  const { language, viewport, media, timeZone, hasScripts = true } = reader;
  if (viewport) await page.setViewportSize(viewport);
  if (media) await page.emulateMedia(media);
  const session = await page.context().newCDPSession(page);
  if (language) {
    const { userAgent } = await session.send("Browser.getVersion");
    await session.send("Network.setUserAgentOverride", { userAgent, acceptLanguage: language });
  }
  if (timeZone) await session.send("Emulation.setTimezoneOverride", { timezoneId: timeZone });
  if (!hasScripts) await session.send("Emulation.setScriptExecutionDisabled", { value: true });
}

/**
 * Profiles of a browser, for visitors of one site. A profile with its process takes most of the work of a visit, so
 * it is used again: with its pages closed, its storage empty and its routes gone, it is like a new one, but for the
 * files of the site that it has loaded.
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
    context.on("dialog", (each) => complaints.push(each.message()) && each.dismiss());
    context.on("request", (each) => isOther(each.url()) && complaints.push(`asked ${each.url()}`));
  };
  const make = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({ baseURL: origin, locale: "en-GB", reducedMotion: "reduce" });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  const makeProfile = async (): Promise<Profile> => {
    const context = await make();
    const keeper = await context.newPage();
    // A page of the site without a script.
    await keeper.goto("/robots.txt");
    watch(context);
    return { context, keeper };
  };
  const empty = async ({ context, keeper }: Profile): Promise<void> => {
    for (const page of context.pages()) if (page !== keeper) await page.close();
    await context.unrouteAll();
    await context.setOffline(false);
    await context.clearCookies();
    await keeper.evaluate("localStorage.clear()");
  };

  return {
    /** A profile that is signed in with the token. */
    enter: async (token?: string): Promise<BrowserContext> => {
      const profile = idle.pop() ?? (await makeProfile());
      lent.push(profile);
      if (token) await profile.keeper.evaluate(`localStorage.setItem("token", ${JSON.stringify(token)})`);
      return profile.context;
    },
    /** A profile for a test that changes what stays with it, as its clock. It is not used again. */
    enterAlone: async (): Promise<BrowserContext> => {
      const context = await make();
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
