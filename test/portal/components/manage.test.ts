import { h } from "preact";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { renderToString } from "preact-render-to-string";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { wordsOf } from "../../../lib/auth/permissions.ts";
import { apiAt } from "../../../portal/api.ts";
import { begin } from "../../../portal/data.ts";
import { endOf, Keys } from "../../../portal/pages/manage/keys.tsx";
import { rowsOf } from "../../../portal/pages/manage/waiting.tsx";
import ManagePage from "../../../portal/pages/manage.tsx";
import type { Summary } from "../../../portal/posts.ts";
import { token } from "../../../portal/session.ts";
import { loadTexts, textOf, texts } from "../../../portal/text.ts";

// What the pages of the team show to a role at first, before anything but the rights is read.

/** The team's page at an address. */
function teamPageAt(url: string): string {
  const route = h(Route, { default: true, component: ManagePage });
  return renderToString(h(LocationProvider, { url } as object, h(Router, null, route)));
}

/** The words of a page, and the parts to which its navigation leads. */
function shownTo(role: "owner" | "moderator" | "member", path: string): { text: string; parts: string[] } {
  const rights = { permissions: wordsOf({ role }), scopes: [] };
  begin(apiAt("http://localhost"), { [JSON.stringify(["rights"])]: { data: rights } });
  const html = teamPageAt(path);
  const [navigation = ""] = /<nav class="parts".*?<\/nav>/s.exec(html) ?? [];
  const parts = [...navigation.matchAll(/href="\/manage\/(\w+)"/g)].map(([, name = ""]) => name);
  return { text: html.replace(/<[^>]+>/g, " "), parts };
}

beforeAll(async () => {
  texts.value = await loadTexts("en");
  token.value = "a session";
  vi.stubGlobal("location", new URL("http://localhost/manage"));
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
});

afterAll(() => {
  token.value = undefined;
  vi.unstubAllGlobals();
});

/** Which first steps are ticked on a site with these boards, of which the site keeps some. */
function ticked(boards: string[], firstSteps: string[], team = ["owner"]): string[] {
  const known = {
    '["rights"]': { data: { permissions: wordsOf({ role: "owner" }), scopes: [] } },
    '["site"]': { data: { title: "Wishes", sendsMail: true, firstSteps } },
    '["profile"]': { data: { isVerified: false, email: "owner@example.com" } },
    '["all boards"]': { data: boards.map((name) => ({ name })) },
    '["waiting","newest",""]': { data: { posts: [] } },
    '["people",""]': { data: { users: [] } },
    '["people","","team"]': { data: { users: team.map((role) => ({ role })) } },
  };
  begin(apiAt("http://localhost"), known);
  const html = teamPageAt("/manage");
  const done = html.match(/<li class="item done">.*?<\/li>/gs) ?? [];
  return done.map((step) => /board|statuses|address of your site|team/.exec(step)?.[0] ?? step);
}

describe("The first steps", () => {
  it.each<[string, string[], string[], string[]]>([
    ["none with the board of the set-up", ["Feedback"], [], []],
    ["a board of another name", ["Ideas"], [], ["board"]],
    ["a second board, whatever the names", ["Feedback", "Feedback "], [], ["board"]],
    ["a board that the owner has saved as it is", ["Feedback"], ["board"], ["board"]],
    ["what the site keeps", ["Feedback"], ["statuses", "share"], ["statuses", "address of your site"]],
    ["nothing once they are hidden", ["Ideas"], ["hidden"], []],
  ])("tick %s", (_, boards, kept, done) => {
    expect(ticked(boards, kept)).toEqual(done);
  });
});

describe("The first step to a team", () => {
  it("is done once the team has a moderator, however many accounts are newer", () => {
    expect(ticked(["Feedback"], [], ["owner", "moderator"])).toEqual(["team"]);
  });
});

describe("The audit log", () => {
  it("has nothing to filter or to download while it is empty", () => {
    const known = (records: object[]) => ({
      '["rights"]': { data: { permissions: wordsOf({ role: "owner" }), scopes: [] } },
      '["audit",{}]': { data: { records } },
    });
    begin(apiAt("http://localhost"), known([]));
    expect(teamPageAt("/manage/audit")).not.toContain("Download");
    const created = {
      recordId: "1",
      by: "2",
      byName: "Olive",
      action: "board.created",
      createdAt: "2026-01-01T00:00:00Z",
    };
    begin(apiAt("http://localhost"), known([created]));
    expect(teamPageAt("/manage/audit")).toContain("Download");
  });
});

describe("A page of the team", () => {
  it("is one of fourteen to the owner, in groups", () => {
    const { text, parts } = shownTo("owner", "/manage/people");
    expect(parts).toHaveLength(14);
    expect(text).toMatch(/Feedback.*Boards.*Administration.*People.*Integrations.*Webhooks/);
  });

  it.each([
    ["/manage", "Unanswered"],
    ["/manage/keys", "API keys"],
  ])("is open to a moderator at %s", (path, heading) => {
    const { text, parts } = shownTo("moderator", path);
    expect(text).toContain(heading);
    expect(text).not.toContain("Only the owner");
    expect(parts).toEqual(["waiting", "queue", "figures", "tags", "keys"]);
  });

  it.each(["boards", "roadmaps", "statuses", "site", "people", "providers", "export", "audit", "webhooks"])(
    "says to a moderator that %s is the owner's",
    (part) => {
      const { text, parts } = shownTo("moderator", `/manage/${part}`);
      expect(text).toContain("Only the owner of this site can open this page.");
      expect(text).toContain(textOf(part, "no name"));
      expect(parts).toEqual(["waiting", "queue", "figures", "tags", "keys"]);
    },
  );

  it("says to a member that it is the team's", () => {
    for (const path of ["/manage", "/manage/people"]) {
      const { text, parts } = shownTo("member", path);
      expect(text).toContain("These pages are for the team of this site");
      expect(parts).toEqual([]);
    }
  });

  it("is open to a moderator with the posts of one person, and to no member", () => {
    const path = "/manage/people/01a044e2-f640-7762-b92f-e7ec2f1ee59d";
    expect(shownTo("moderator", path).text).not.toContain("Only the owner");
    expect(shownTo("member", path).text).toContain("These pages are for the team of this site");
  });

  it("is not found at another address", () => {
    expect(shownTo("owner", "/manage/nothing").text).toContain("Page not found");
  });
});

/** The link to a part once so much is known. */
function linkWith(part: string, known: object): string {
  const rights = { permissions: wordsOf({ role: "moderator" }), scopes: [] };
  begin(apiAt("http://localhost"), { '["rights"]': { data: rights }, ...known });
  const html = teamPageAt("/manage/tags");
  return new RegExp(`<a href="/manage/${part}".*?</a>`, "s").exec(html)?.[0] ?? "";
}

describe("The way to the queue", () => {
  const linkTo = (queue: object | undefined) => linkWith("queue", queue ? { '["queue"]': { data: queue } } : {});
  const some = (n: number) => Array.from({ length: n }, (_, id) => ({ id }));

  it.each<[string, object | undefined]>([
    ["nothing waits", { held: [] }],
    ["it is not read yet", undefined],
  ])("has no number while %s", (_, queue) => {
    expect(linkTo(queue)).toBe('<a href="/manage/queue">Approval </a>');
  });

  it.each([
    ["3", { held: some(3) }, "3 waiting"],
    ["20", { held: some(20) }, "20 waiting"],
    ["20+", { held: some(20), after: "cursor" }, "20 or more waiting"],
  ])("has the number %s, which is also read out", (shown, queue, words) => {
    const link = linkTo(queue);
    expect(link).toContain(`aria-label="Approval, ${words}"`);
    expect(link).toContain(`>${shown}</span>`);
  });
});

describe("The rows of waiting posts, read again", () => {
  const posts = (ids: string) => [...ids].map((postId) => ({ postId }) as Summary);
  const rows = (now: string, before: string, open: string) => rowsOf(posts(now), posts(before), new Set(open));

  it.each([
    ["lack a closed one that is answered", "ac", "abc", "", "ac"],
    ["keep an open one where it was", "ac", "abc", "b", "abc"],
    ["keep the only one", "", "a", "a", "a"],
    ["keep several, at the ends", "b", "abc", "ac", "abc"],
    ["show an open one that still waits once", "abc", "abc", "b", "abc"],
    ["begin with newer ones", "xac", "abc", "b", "xbac"],
  ])("%s", (_, now, before, open, shown) => {
    expect(
      rows(now, before, open)
        .map(({ postId }) => postId)
        .join(""),
    ).toBe(shown);
  });
});

/** Gives the reader a time zone, which texts of times have unless they name another one. */
function readIn(timeZone: string): void {
  for (const way of ["toLocaleString", "toLocaleDateString"] as const) {
    const real = Date.prototype[way];
    vi.spyOn(Date.prototype, way).mockImplementation(function (this: Date, locale, options) {
      return real.call(this, locale, { timeZone, ...options });
    });
  }
}

describe("A key", () => {
  const key = {
    keyId: "1",
    name: "Robot",
    lastFour: "abcd",
    scopes: ["board:read"],
    expiresAt: "2126-12-26T00:00:00.000Z",
    lastUsedOn: "2026-11-26",
  };

  it.each([
    ["America/New_York", /Valid until Dec 25, 2126, 7:00.PM/],
    ["Asia/Tokyo", /Valid until Dec 26, 2126, 9:00.AM/],
  ])("shows in %s when it ends, and the day of its last use", (zone, end) => {
    readIn(zone);
    begin(apiAt("http://localhost"), { '["keys"]': { data: [key] } });
    const html = renderToString(h(LocationProvider, { url: "/manage/keys" } as object, h(Keys, {})));
    vi.restoreAllMocks();
    expect(html).toMatch(end);
    expect(html).toContain("last used on Nov 26, 2026");
  });

  it("lives for as many whole days as were chosen", () => {
    for (const days of [30, 90]) {
      const left = Date.parse(endOf(String(days)).expiresAt ?? "") - Date.now();
      expect(Math.floor(left / 86_400_000)).toBe(days);
    }
    expect(endOf("365")).toEqual({});
  });
});

describe("The way to the posts that wait", () => {
  const linkTo = (list: object) => linkWith("waiting", { '["waiting in all",""]': { data: list } });
  const open = { status: { id: "open" }, isAnswered: false };

  it.each([
    ["1", { posts: [open] }, "1 waiting"],
    ["2+", { posts: [open, open], after: "cursor" }, "2 or more waiting"],
    ["1", { posts: [{ ...open, isAnswered: true }, open, { ...open, status: { id: "planned" } }] }, "1 waiting"],
  ])("has the number %s, of posts that nobody has answered since", (shown, list, words) => {
    const link = linkTo(list);
    expect(link).toContain(`aria-label="Unanswered, ${words}"`);
    expect(link).toContain(`>${shown}</span>`);
  });

  it.each([
    ["nothing waits", { posts: [] }],
    ["the newest posts are answered, and others may wait", { posts: [], after: "cursor" }],
  ])("has no number while %s", (_, list) => {
    expect(linkTo(list)).toBe('<a href="/manage/waiting">Unanswered </a>');
  });
});
