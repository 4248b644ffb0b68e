import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { disturbCalls } from "../support/process/disturbed-calls.ts";
import { aPortal } from "../support/process/portal.ts";
import { beginWith } from "../support/process/profiles.ts";
import { holdBack } from "../support/process/steady.ts";

// The lists of the team while their answers are late, lost or overtaken.

describe.skipIf(!BROWSER)("A list of the team", () => {
  const portal = aPortal();

  it("reads the figure of one day aloud and beside its plot, by pointer and by arrow keys", async () => {
    const page = await portal.open("/manage/figures?from=2026-01-01&to=2026-01-04", portal.owner);
    const plot = page.getByRole("figure").filter({ hasText: "Votes" });
    const day = plot.getByRole("slider", { name: "Votes of one day" });
    await day.hover({ position: { x: 5, y: 5 } });
    const reading = plot.locator(".ends .read");
    await reading.getByText("Jan 1, 2026: not counted").waitFor();
    await page.mouse.move(0, 0);
    await expect.poll(() => reading.count()).toBe(0);
    await day.focus();
    await reading.getByText("Jan 4, 2026").waitFor();
    await day.press("ArrowLeft");
    await reading.getByText("Jan 3, 2026").waitFor();
    expect(await day.getAttribute("aria-valuetext")).toBe("Jan 3, 2026: not counted");
  });

  it("says on a fresh site what its figures will show, and plots only days that are asked for", async () => {
    const page = await portal.open("/manage/figures", portal.owner);
    await page.getByRole("heading", { name: "Nothing to show yet" }).waitFor();
    await page.getByRole("button", { name: "Copy the link" }).waitFor();
    expect(await page.getByRole("figure").count()).toBe(0);
    await page.getByLabel("Period").selectOption("Last 7 days");
    await expect.poll(() => page.getByRole("figure").count()).toBe(4);
  });

  it("keeps both ends of a period that are changed before its figures are there, and says that it reads", async () => {
    const today = new Date().toISOString().slice(0, 10);
    const page = await portal.open(`/manage/figures?to=${today}`, portal.owner);
    const plot = page.getByRole("figure").first();
    await plot.getByText("As a table").click();
    await expect.poll(() => plot.getByRole("row").count()).toBe(1 + 30);
    // On a phone both ends of the plot stand on one line.
    await page.setViewportSize({ width: 390, height: 844 });
    const heights = plot.locator(".ends span").evaluateAll((all) => all.map((each) => each.clientHeight));
    const line = Number.parseFloat(await page.evaluate("getComputedStyle(document.querySelector('.ends')).lineHeight"));
    for (const height of await heights) expect(height).toBeLessThan(1.5 * line);
    // The two days share a line where both have room for their year.
    const topOf = async (label: string) => (await page.getByLabel(label, { exact: true }).boundingBox())?.y ?? 0;
    expect(await topOf("To")).toBe(await topOf("From"));
    await page.setViewportSize({ width: 340, height: 700 });
    expect(await topOf("To")).toBeGreaterThan(await topOf("From"));
    await page.setViewportSize({ width: 1280, height: 720 });
    const letGo = await holdBack(page, "**/api/v1/stats?*");
    const from = page.getByLabel("From", { exact: true });
    const to = page.getByLabel("To", { exact: true });
    await from.fill("2026-01-05");
    await page.waitForURL("**/manage/figures?from=2026-01-05&to=*");
    await page.locator("[aria-busy=true]", { has: plot }).waitFor();
    await to.fill("2026-01-09");
    await page.waitForURL("**/manage/figures?from=2026-01-05&to=2026-01-09");
    letGo();
    await expect.poll(() => plot.getByRole("row").count()).toBe(1 + 5);
    await page.locator("[aria-busy=false]", { has: plot }).waitFor();
    expect([await from.inputValue(), await to.inputValue()]).toEqual(["2026-01-05", "2026-01-09"]);
    // A day that moves the other one says so, and none is to come.
    await to.fill("2024-12-31");
    await page.locator(".notice", { hasText: "Dec 31, 2024 to Dec 31, 2024. A year is the most." }).waitFor();
    await page.waitForURL("**/manage/figures?from=2024-12-31&to=2024-12-31");
    expect(await to.getAttribute("max")).toBe(today);
  });

  it("parts a long address of a person before its @ alone, on the narrowest phone", async () => {
    const email = "suspended.person@demo.example";
    await portal.call("POST", "/users", portal.owner, { email, name: "Lena Narrow" });
    const page = await portal.open("/manage/people?q=lena", portal.owner, { viewport: { width: 320, height: 640 } });
    await page.locator(".item").getByText(email, { exact: true }).waitFor();
    const lines = `[...document.querySelector(".person .hint > span").childNodes].map((part) => {
      const range = document.createRange();
      range.selectNodeContents(part);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    })`;
    expect(await page.evaluate(lines)).toEqual([1, 0, 1]);
    // Their letter stands at their name, as the button of the menu does.
    const topOf = async (what: Locator) => (await what.boundingBox())?.y ?? 0;
    const row = page.locator(".item");
    expect(await topOf(row.locator(".avatar"))).toBeLessThan((await topOf(row.getByText(email, { exact: true }))) - 16);
  });

  it("leaves the field of a picture where it is while its address is typed", async () => {
    const page = await portal.open("/manage/site", portal.owner, { viewport: { width: 1440, height: 900 } });
    const logo = page.getByRole("textbox", { name: "Logo URL" });
    const before = await logo.boundingBox();
    await logo.fill("https://pictures.example/logo.svg");
    await page.getByText("The picture appears here once it is saved.").waitFor();
    expect(await logo.boundingBox()).toEqual(before);
  });

  it("shows no made-up address of a person who has none", async () => {
    await portal.call("POST", "/users", portal.owner, { email: "7@no-address.invalid", name: "Nora Unreachable" });
    const page = await portal.open("/manage/people?q=nora", portal.owner);
    await page.locator(".item", { hasText: "Nora Unreachable" }).getByText("no email address").waitFor();
    expect(await page.getByText(".invalid").count()).toBe(0);
  });

  it("reads people and changes in short rows on a phone, and chooses a role in the menu of a row", async () => {
    const email = "una.short@example.com";
    await portal.call("POST", "/users", portal.owner, { email, name: "Una Short" });
    const page = await portal.open("/manage/people?q=una", portal.owner, { viewport: { width: 390, height: 844 } });
    const row = page.locator(".item");
    const role = row.getByRole("combobox", { name: "Role of Una Short" });
    const menu = row.getByRole("button", { name: "More about Una Short" });
    const heightOf = async (what: typeof row) => (await what.boundingBox())?.height ?? 0;
    await row.locator(".role-word", { hasText: "Member" }).waitFor();
    expect(await heightOf(row)).toBeLessThan(70);
    for (const side of ["width", "height"] as const)
      expect((await menu.boundingBox())?.[side]).toBeGreaterThanOrEqual(44);
    expect(await role.isVisible()).toBe(false);
    await menu.click();
    // The choice says it.
    expect(await row.locator(".role-word").isVisible()).toBe(false);
    await role.selectOption("Moderator");
    // What is not saved stays in sight.
    await menu.click();
    await row.getByRole("status").getByText("Still Member until you save").waitFor();
    // Nobody is led to posts that are not there.
    expect(await row.getByRole("link", { name: "0 posts" }).count()).toBe(0);
    await row.getByRole("button", { name: "Cancel" }).click();
    expect(await row.getByText("until you save").count()).toBe(0);
    await menu.click();
    expect(await role.inputValue()).toBe("member");
    await role.selectOption("Moderator");
    await menu.click();
    await row.getByRole("button", { name: "Save" }).click();
    await row.locator(".role-word", { hasText: "Moderator" }).waitFor();
    expect(await role.isVisible()).toBe(false);
    await page.goto("/manage/audit");
    const change = page.locator(".item", { hasText: "Olive gave Una Short the role Moderator" });
    await change.getByText("Before: Member").waitFor();
    expect(await heightOf(change)).toBeLessThan(70);
    expect((await change.getByRole("button").first().boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  it("asks nothing more for a role that is chosen no more: no password, and not whether to lose it", async () => {
    await portal.call("POST", "/users", portal.owner, { email: "cora@example.com", name: "Cora Chosen" });
    const page = await portal.open("/manage/people?q=cora", portal.owner);
    const row = page.locator(".item");
    const role = row.getByRole("combobox", { name: "Role of Cora Chosen" });
    const save = row.getByRole("button", { name: "Save" });
    const old = { status: 403, json: { message: "Sign in again", code: "SIGN_IN_AGAIN" } };
    await page.route("**/api/v1/users/*", (route) => route.fulfill(old));
    await role.selectOption("Moderator");
    await save.click();
    await row.locator(".field:has([name=password]:focus)", { hasText: "Please confirm that it is you" }).waitFor();
    await row.getByRole("button", { name: "Cancel" }).click();
    await role.and(page.locator(":focus")).waitFor();
    expect(await role.inputValue()).toBe("member");
    await row.getByLabel("Password").waitFor({ state: "detached" });
    expect(await row.getByText(/Please confirm|No password/).count()).toBe(0);
    await save.waitFor({ state: "hidden" });
    const leave = async () => {
      await page.getByRole("link", { name: "Tags" }).click();
      await page.getByRole("heading", { name: "Tags", level: 1 }).waitFor();
      await page.goBack();
    };
    await leave();
    await role.focus();
    await role.selectOption("Moderator");
    await role.selectOption("Member");
    await role.and(page.locator(":focus")).waitFor();
    await leave();
  });

  it("says below a row, over its width, that its role is not saved, and moves no other row", async () => {
    for (const name of ["Fay Fails", "Fay Follows"])
      await portal.call("POST", "/users", portal.owner, { email: `${name.replace(" ", ".")}@example.com`, name });
    const page = await portal.open("/manage/people?q=fay", portal.owner, { viewport: { width: 1440, height: 900 } });
    const row = (name: string) => page.locator(".person", { hasText: name });
    const choice = (name: string) => row(name).getByRole("combobox");
    const boxOf = async (what: Locator) => (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const shapeOf = async (what: Locator) => ({ ...(await boxOf(what)), y: 0 });
    const before = [await boxOf(choice("Fay Fails")), await shapeOf(choice("Fay Follows"))];
    const height = (await boxOf(row("Fay Follows"))).height;
    const isRole = ({ method }: { method: string }) => method === "PATCH";
    const failed = { status: 500, json: { code: "SERVER_ERROR", message: "Failed" } };
    await disturbCalls(page, (call) => (isRole(call) ? failed : undefined));
    await choice("Fay Fails").selectOption("Suspended");
    const save = row("Fay Fails").getByRole("button", { name: "Save" });
    const cancel = row("Fay Fails").getByRole("button", { name: "Cancel" });
    expect((await boxOf(cancel)).y).toBe((await boxOf(save)).y);
    await save.click();
    const problem = row("Fay Fails").getByRole("alert");
    await problem.waitFor();
    const { x, width, y } = await boxOf(problem);
    expect(width).toBeGreaterThan((await boxOf(row("Fay Fails"))).width * 0.8);
    expect(x).toBeLessThan((await boxOf(choice("Fay Fails"))).x);
    expect(y).toBeGreaterThan((await boxOf(save)).y);
    expect([await boxOf(choice("Fay Fails")), await shapeOf(choice("Fay Follows"))]).toEqual(before);
    expect((await boxOf(row("Fay Follows"))).height).toBe(height);
    // With the choice goes what was said of it.
    await cancel.click();
    await expect.poll(() => problem.count()).toBe(0);
    await choice("Fay Fails").and(page.locator(":focus")).waitFor();
    expect(await save.isVisible()).toBe(false);
    expect(await choice("Fay Fails").inputValue()).toBe("member");
  });

  it("offers to make a person owner apart from their end, and nobody who is suspended or has not come yet", async () => {
    const add = async (name: string, role: string) => {
      const { user } = (await portal.call("POST", "/users", portal.owner, { email: `${name}@heirs.example`, name }))
        .body;
      await portal.call("PATCH", `/users/${user.userId}`, portal.owner, { role });
    };
    await add("Hedda", "moderator");
    await add("Hugo", "suspended");
    await portal.call("POST", "/users/invitations", portal.owner, { email: "heike@heirs.example", role: "moderator" });
    const page = await portal.open("/manage/people?q=h", portal.owner, { viewport: { width: 1440, height: 900 } });
    const deedsOf = async (email: string) => {
      const row = page.locator(".person", { hasText: email });
      await row.getByRole("button", { name: /^More about/ }).click();
      const buttons = row.locator(".further").getByRole("button");
      await buttons.filter({ hasText: "Delete account" }).waitFor();
      return buttons;
    };
    // The name behind it is for screen readers.
    const wordsOf = async (buttons: Locator) => (await buttons.allInnerTexts()).map((text) => text.split("\n")[0]);
    expect(await wordsOf(await deedsOf("Hugo@heirs.example"))).toEqual(["Delete account"]);
    expect(await wordsOf(await deedsOf("heike@heirs.example"))).toEqual([
      "Send the invitation again",
      "Delete account",
    ]);
    const deeds = await deedsOf("Hedda@heirs.example");
    expect(await wordsOf(deeds)).toEqual(["Make owner", "Delete account"]);
    const [handOver, end] = await Promise.all((await deeds.all()).map((each) => each.boundingBox()));
    expect(end?.y).toBeGreaterThan((handOver?.y ?? 0) + (handOver?.height ?? 0) + 16);
    // Only the end is as loud as one.
    expect(await page.locator(".further button.end").count()).toBe(3);
    expect(await deeds.and(page.locator(".end")).count()).toBe(1);
  });

  it("keeps a period that is chosen a moment after the page is there", async () => {
    const page = await portal.enter(portal.owner);
    // As on a device that paints late.
    await beginWith(page, "window.requestAnimationFrame = () => 0");
    await page.goto("/manage/figures");
    // Before the page that is just shown has come to rest.
    await page.evaluate(`new Promise((chosen) => {
      const seen = setInterval(() => {
        const select = document.querySelector("select[aria-label=Period]");
        if (!select) return;
        clearInterval(seen);
        const choose = () => {
          select.value = "7";
          chosen(select.dispatchEvent(new Event("change", { bubbles: true })));
        };
        setTimeout(choose, 350);
      }, 1);
    })`);
    await page.waitForURL(/from=.*&to=/);
    const plot = page.getByRole("figure").first();
    await plot.getByText("As a table").click();
    await expect.poll(() => plot.getByRole("row").count()).toBe(1 + 7);
  });

  it("says how many posts leave a roadmap that is deleted, and nothing of posts where there are none", async () => {
    await portal.call("POST", "/roadmaps", portal.owner, { name: "Bare" });
    const { roadmap } = (await portal.call("POST", "/roadmaps", portal.owner, { name: "Busy" })).body;
    for (const title of ["One", "Two"]) {
      const { postId } = (await portal.call("POST", "/posts", portal.owner, { title })).body.post;
      await portal.call("PATCH", "/posts", portal.owner, { id: postId, roadmapId: roadmap.id });
    }
    const page = await portal.enter(portal.owner);
    const question = page.getByRole("alertdialog");
    await page.goto("/manage/roadmaps");
    await page.getByRole("button", { name: "Delete Bare" }).click();
    await question.getByText("Delete Bare?", { exact: true }).waitFor();
    await question.getByRole("button", { name: "Delete" }).click();
    await page.locator(".item", { hasText: "Bare" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Delete Busy" }).click();
    await question.getByText("Delete Busy? Its 2 posts stay, but leave the roadmap.").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
  });

  it("asks for the board that takes the posts of one that is deleted, and says if that is gone meanwhile", async () => {
    const newBoard = async (name: string): Promise<string> =>
      (await portal.call("POST", "/boards", portal.owner, { name })).body.board.boardId;
    const closing = await newBoard("Closing");
    const taking = await newBoard("Taking");
    const fleeting = await newBoard("Fleeting");
    const { postId, slug } = (await portal.call("POST", "/posts", portal.owner, { title: "Needs a board" })).body.post;
    await portal.call("PATCH", "/posts", portal.owner, { id: postId, boardId: closing });
    const page = await portal.open("/manage/boards", portal.owner, { viewport: { width: 390, height: 844 } });
    const row = page.locator(".item", { hasText: "Closing" });
    const begin = async () => {
      const form = row.getByRole("form", { name: "Delete Closing?" });
      if (!(await form.isVisible())) {
        await row.getByRole("button", { name: "More about Closing" }).click();
        await row.getByRole("button", { name: "Delete Closing" }).click();
      }
      return { form, choice: form.getByRole("combobox", { name: "Move its posts to" }) };
    };
    const { form, choice } = await begin();
    expect((await choice.locator("option").allInnerTexts()).slice(-3)).toEqual(["Taking", "Fleeting", "No board"]);
    await form.getByRole("button", { name: "Cancel" }).click();
    // The menu of a phone, where the question began, is closed by then.
    await row.getByRole("button", { name: "More about Closing" }).and(page.locator(":focus")).waitFor();
    await begin();
    // Another session is faster, and ends the chosen one.
    await choice.selectOption("Fleeting");
    await portal.call("DELETE", "/boards", portal.owner, { boardId: fleeting });
    await form.getByRole("button", { name: "Delete" }).click();
    await page.locator(".notice", { hasText: "no longer exists" }).waitFor();
    await page.locator(".item summary", { hasText: "Fleeting" }).waitFor({ state: "detached" });
    const again = await begin();
    await again.choice.selectOption("Taking");
    await again.form.getByRole("button", { name: "Delete" }).click();
    await page.locator(".notice", { hasText: "Deleted. Its posts are being moved to Taking." }).waitFor();
    await row.waitFor({ state: "detached" });
    const boardNow = async () =>
      (await portal.call("POST", "/posts/slug", portal.owner, { slug })).body.post.board?.boardId;
    await expect.poll(boardNow).toBe(taking);
    await page.goto("/manage/audit");
    const said = "Olive deleted the board “Closing” and moved its posts to “Taking”";
    await page.locator("bdi", { hasText: said }).waitFor();
  });

  it("asks where posts go also of a board whose posts are still on their way, and keeps what is chosen", async () => {
    const newBoard = async (name: string, display = true): Promise<string> =>
      (await portal.call("POST", "/boards", portal.owner, { name, display })).body.board.boardId;
    const unseen = await newBoard("Unseen", false);
    const from = await newBoard("From");
    await newBoard("By");
    const to = await newBoard("To");
    const { postId, slug } = (await portal.call("POST", "/posts", portal.owner, { title: "Travels on" })).body.post;
    await portal.call("PATCH", "/posts", portal.owner, { id: postId, boardId: from });
    const before = (await portal.call("GET", "/boards/get?sort=position")).body.boards[0].boardId;
    await portal.call("PATCH", "/boards/sort", portal.owner, { boardId: unseen, before });
    const page = await portal.open("/manage/boards", portal.owner);
    const begin = async (name: string) => {
      await page.getByRole("button", { name: `Delete ${name}`, exact: true }).click();
      return page.getByRole("form", { name: `Delete ${name}?` });
    };
    const first = await begin("From");
    const choice = first.getByRole("combobox", { name: "Move its posts to" });
    // Who sees the page finds the posts on the board that takes them: a hidden one is none to begin with.
    const names = await choice.locator("option").allInnerTexts();
    expect(names.slice(-4)).toEqual(["By", "To", "Unseen · hidden", "No board"]);
    expect(await choice.inputValue()).toBe(before);
    // The boards get another order meanwhile: neither is what is chosen another one, nor has anybody saved another.
    await portal.call("PATCH", "/boards/sort", portal.owner, { boardId: before });
    await page.getByRole("button", { name: "Move To up" }).click();
    await expect.poll(async () => (await choice.locator("option").allInnerTexts())[0]).not.toBe(names[0]);
    expect(await choice.inputValue()).toBe(before);
    expect(await first.getByText("Saved meanwhile").count()).toBe(0);
    // The list is read again before the post has come to the other board, and never after.
    await choice.selectOption("By");
    await first.getByRole("button", { name: "Delete" }).click();
    await page.locator(".notice", { hasText: "Its posts are being moved to By." }).waitFor();
    const second = await begin("By");
    await second.getByRole("combobox", { name: "Move its posts to" }).selectOption("To");
    await second.getByRole("button", { name: "Delete" }).click();
    await page.locator(".item summary", { hasText: "By" }).waitFor({ state: "detached" });
    const boardNow = async () =>
      (await portal.call("POST", "/posts/slug", portal.owner, { slug })).body.post.board?.boardId;
    await expect.poll(boardNow).toBe(to);
  });

  it("says how many posts a status, a roadmap and an open tag has, and leads to the posts of a board", async () => {
    const { board } = (await portal.call("POST", "/boards", portal.owner, { name: "Counted" })).body;
    const { roadmap } = (await portal.call("POST", "/roadmaps", portal.owner, { name: "Counted" })).body;
    const { tag } = (await portal.call("POST", "/tags", portal.owner, { tag: { name: "Counted" } })).body;
    const { postId } = (await portal.call("POST", "/posts", portal.owner, { title: "Counted" })).body.post;
    const placed = { id: postId, boardId: board.boardId, roadmapId: roadmap.id };
    await portal.call("PATCH", "/posts", portal.owner, placed);
    await portal.call("PUT", `/posts/${postId}/tags`, portal.owner, { tags: [tag.id] });
    await portal.call("PUT", `/posts/${postId}/status`, portal.owner, { status: "started", notify: false });
    const page = await portal.enter(portal.owner);
    const summary = (name: string) => page.locator(".item summary", { hasText: name });
    await page.goto("/manage/statuses");
    await summary("Started").getByText("1 post", { exact: true }).waitFor();
    await page.goto("/manage/roadmaps");
    await summary("Counted").getByText("1 post", { exact: true }).waitFor();
    await page.goto("/manage/tags");
    await summary("Counted").click();
    await page.locator(".item", { hasText: "Counted" }).getByText("1 post", { exact: true }).waitFor();
    await page.goto("/manage/boards");
    await summary("Counted").click();
    await page.getByRole("link", { name: "Show the posts" }).click();
    await page.waitForURL(`/boards/${board.url}`);
  });

  it("is read once beside the first steps, and leaves an open answer as it is when they are hidden", async () => {
    const { postId } = await portal.post("Waits below the steps", {}, await portal.join("Nina"));
    const page = await portal.enter(portal.owner);
    const reads: string[] = [];
    page.on("request", (request) => request.url().endsWith("/posts/get") && reads.push(request.postData() ?? ""));
    await page.goto("/manage/waiting?order=oldest", { waitUntil: "networkidle" });
    await page.getByRole("button", { name: "Hide these steps" }).waitFor();
    // Not once more in another order, only to know whether any waits; their number reads more at a time.
    expect(reads.filter((body) => !body.includes(`"first":50`))).toEqual([expect.stringContaining("oldest")]);
    await page.getByRole("button", { name: "Respond Waits below the steps" }).click();
    const field = await page.locator(".answer textarea").elementHandle();
    await page.getByRole("button", { name: "Hide these steps" }).click();
    await page.locator(".steps").waitFor({ state: "detached" });
    expect(await field?.evaluate((each) => each.isConnected)).toBe(true);
    await portal.call("DELETE", "/posts", portal.owner, { id: postId });
  });

  it("keeps a response that is cancelled, until its draft is discarded", async () => {
    const { postId } = await portal.post("Waits for words", {}, await portal.join("Nola"));
    const page = await portal.open("/manage/waiting", portal.owner);
    const respond = page.getByRole("button", { name: "Respond Waits for words" });
    const form = page.getByRole("form", { name: "Respond" });
    const response = form.getByRole("textbox", { name: "Response" });
    await respond.click();
    await response.fill("Thank you!");
    // Nothing of before can be discarded yet.
    expect(await form.getByRole("button", { name: "Discard draft" }).count()).toBe(0);
    await form.getByRole("button", { name: "Cancel" }).click();
    await respond.and(page.locator(":focus")).click();
    expect(await response.inputValue()).toBe("Thank you!");
    await form.getByRole("button", { name: "Discard draft" }).click();
    await respond.and(page.locator(":focus")).click();
    expect(await response.inputValue()).toBe("");
    await portal.call("DELETE", "/posts", portal.owner, { id: postId });
  });

  it("lets a response be typed while the post and the statuses are still read", async () => {
    const { postId } = await portal.post("Answered on a slow line", {}, await portal.join("Norma"));
    const page = await portal.open("/manage/waiting", portal.owner);
    const letGo = await holdBack(page, new RegExp(`/api/v1/(statuses|posts/${postId})$`));
    await page.getByRole("button", { name: "Respond Answered on a slow line" }).press("Enter");
    const response = page.getByRole("textbox", { name: "Response" });
    await response.and(page.locator(":focus")).waitFor();
    await page.keyboard.type("On its way.");
    letGo();
    const status = page.getByRole("combobox", { name: "Status" });
    await status.selectOption("planned");
    expect(await response.inputValue()).toBe("On its way.");
    await page.getByRole("button", { name: "Publish response" }).click();
    await page.getByText("“Answered on a slow line” is answered.").waitFor();
    await portal.call("DELETE", "/posts", portal.owner, { id: postId });
  });

  it("says that the team's pages cannot be read, and reads them again", async () => {
    const page = await portal.open("/", portal.owner);
    const isRights = /\/users\/permissions/;
    await page.route(isRights, (route) => route.fulfill({ status: 500, json: { message: "", code: "SERVER_ERROR" } }));
    await page.goto("/manage/people");
    const again = page.getByRole("main").getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.unroute(isRights);
    await again.click();
    await page.getByRole("heading", { name: "People" }).waitFor();
  });

  it("shows a vote in the row of a waiting post", async () => {
    const { postId } = await portal.post("Waits for a vote", {}, await portal.join("Nils"));
    const page = await portal.open("/manage/waiting", portal.owner);
    const vote = page.getByRole("button", { name: /^Vote for Waits for a vote/ });
    await vote.click();
    await expect.poll(() => vote.getAttribute("aria-pressed")).toBe("true");
    await expect.poll(() => vote.innerText()).toContain("1");
    await portal.call("DELETE", "/posts", portal.owner, { id: postId });
  });

  it("says nothing below its rows where a later page has none", async () => {
    const nell = await portal.join("Nell");
    const titles = Array.from({ length: 20 }, (_, n) => `Wish ${n}`);
    await portal.call("POST", "/posts", portal.owner, { title: "Of the team" });
    for (const title of titles) await portal.call("POST", "/posts", nell, { title });
    const page = await portal.open("/manage/waiting", portal.owner);
    const rows = page.locator(".triage .row");
    await expect.poll(() => rows.count()).toBe(20);
    const second = page.waitForResponse("**/api/v1/posts/get");
    await page.getByRole("button", { name: "More" }).click();
    await second;
    await page.locator(".page").nth(1).waitFor({ state: "attached" });
    await page.locator(".skeleton").waitFor({ state: "detached" });
    expect(await rows.count()).toBe(20);
    expect(await page.locator(".empty").count()).toBe(0);
  });

  it("decides what is selected on all its pages by one toolbar, at most twenty", async () => {
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "all" });
    const people = { Nora: await portal.join("Nora"), Noah: await portal.join("Noah") };
    for (const [name, person] of Object.entries(people)) {
      const titles = Array.from({ length: 11 }, (_, n) => `Held ${n} of ${name}`);
      for (const title of titles) await portal.call("POST", "/posts", person, { title });
    }
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "none" });
    const page = await portal.open("/manage/queue", portal.owner);
    const boxes = page.locator(".queue .row").getByRole("checkbox");
    const checked = () => page.locator(".queue .row input:checked").count();
    await expect.poll(() => boxes.count()).toBe(20);
    const approve = page.getByRole("button", { name: /^Approve \d+ selected$/ });
    expect(await approve.getAttribute("aria-disabled")).toBe("true");
    await approve.press("Enter");
    await page.locator(".notice", { hasText: "Select at least one post or comment." }).waitFor();
    await page.getByRole("button", { name: "More" }).click();
    await expect.poll(() => boxes.count()).toBe(22);
    expect(await approve.count()).toBe(1);
    await boxes.last().check();
    const said = (words: string) => page.locator(".decisions > .quiet-text").getByText(words, { exact: true });
    await said("1 selected").waitFor();
    await page.getByRole("checkbox", { name: "Select all" }).check();
    await said("20 selected, the most at a time").waitFor();
    expect(await checked()).toBe(20);
    // One more is refused, and says so, and takes none of the others away.
    await boxes.last().click();
    await page.locator(".notice", { hasText: "At most 20 at a time." }).waitFor();
    expect(await boxes.last().isChecked()).toBe(false);
    expect(await checked()).toBe(20);
    // The things of the first page come first, also once only this page was read anew.
    await page.getByRole("checkbox", { name: "Select all" }).uncheck();
    await portal.call("PATCH", "/users/profile", people.Nora, { name: "Nora Again" });
    await page.getByRole("button", { name: "Approve Held 10 of Noah", exact: true }).click();
    await page.getByText("Nora Again").first().waitFor();
    await expect.poll(() => boxes.count()).toBe(21);
    await page.getByRole("checkbox", { name: "Select all" }).check();
    expect(await checked()).toBe(20);
    expect(await boxes.last().isChecked()).toBe(false);
    await approve.click();
    await page.locator(".notice", { hasText: "20 texts approved." }).waitFor();
    await expect.poll(() => boxes.count()).toBe(1);
    await expect.poll(() => page.evaluate("!!document.activeElement.closest('.queue .row')")).toBe(true);
  });

  it("says beside another page how much waits, without the script that shows the texts", async () => {
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "all" });
    await portal.call("POST", "/posts", await portal.join("Hanna"), { title: "Held for its number" });
    await portal.call("PATCH", "/settings/moderation", portal.owner, { posts: "none" });
    const page = await portal.enter(portal.owner);
    const loaded: string[] = [];
    page.on("request", (each) => loaded.push(new URL(each.url()).pathname));
    const ofMarkdown = () => loaded.filter((path) => path.startsWith("/assets/markdown-"));
    await page.goto("/manage/keys");
    const queue = page.getByRole("link", { name: /^Approval, \d/ });
    await queue.waitFor();
    expect(ofMarkdown()).toEqual([]);
    // At the end of its line; of the navigation that is folded, it is beside the name of the page.
    const pill = queue.locator(".badge");
    const [line, badge] = await Promise.all([queue.boundingBox(), pill.boundingBox()]);
    expect(badge?.width).toBeLessThan((line?.width ?? 0) / 2);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.parts a .badge')).backgroundColor")).not.toBe(
      "rgba(0, 0, 0, 0)",
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator(".parts summary").getByText("Approval, ").waitFor();
    await page.setViewportSize({ width: 1280, height: 720 });
    await queue.click();
    await page.locator(".queue .row").first().waitFor();
    expect(ofMarkdown()).toHaveLength(1);
  });

  it("is downloaded whole although an answer is lost on its way", async () => {
    const page = await portal.open("/manage/audit", portal.owner);
    await page.route("**/api/v1/audit?*format=csv*", (route) => route.abort(), { times: 1 });
    const loads = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download as CSV" }).click();
    expect((await loads).suggestedFilename()).toBe("audit.csv");
  });

  it("is read once, and says whose changes it shows, also where there are none", async () => {
    const { postId } = (await portal.call("POST", "/posts", portal.owner, { title: "Grey mode" })).body.post;
    const page = await portal.enter(portal.owner);
    const asked: string[] = [];
    page.on("request", (each) => each.url().includes("/api/v1/audit") && asked.push(each.url()));
    await page.goto(`/manage/audit?item=${postId}`);
    await page.locator(".item", { hasText: "Olive created the post “Grey mode”" }).waitFor();
    expect(asked).toHaveLength(1);
    const filter = page.getByRole("status");
    await filter.getByText("Only changes of this item").waitFor();
    await page
      .getByRole("button", { name: /^More about Olive/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Only by this person" }).first().click();
    await filter.getByText("Only changes by Olive").waitFor();
    const { userId } = (await portal.call("GET", "/users/profile", portal.owner)).body.user;
    // A name is not said before it is known.
    const letGo = await holdBack(page, "**/api/v1/audit?*");
    await page.goto(`/manage/audit?by=${userId}`);
    await filter.getByRole("link", { name: "All changes" }).waitFor();
    expect(await page.getByText("Only changes by").count()).toBe(0);
    letGo();
    await filter.getByText("Only changes by Olive").waitFor();
    // A last day before the first one moves it, and the page says so.
    await page.goto("/manage/audit?from=2026-03-10");
    await page.getByLabel("To").fill("2026-03-05");
    await page.waitForURL(/from=2026-03-05&to=2026-03-05/);
    await page.locator(".notice", { hasText: "The other day moved too: Mar 5, 2026 to Mar 5, 2026." }).waitFor();
    await page.goto(`/manage/audit?by=${userId}&to=2020-01-01`);
    await page.getByRole("heading", { name: "No changes" }).waitFor();
    await filter.getByText(`Only changes by …${userId.slice(-6)}`).waitFor();
  });

  it("leads nobody back to it who has left it while a choice rested", async () => {
    await portal.call("POST", "/posts", portal.owner, { title: "Something to list" });
    const page = await (await portal.enterAlone()).newPage();
    await page.goto("/robots.txt");
    await page.evaluate(`localStorage.setItem("token", ${JSON.stringify(portal.owner)})`);
    await page.clock.install();
    const kinds = page.getByLabel("Kind of change");
    const choose = async () => {
      await page.goto("/manage/audit");
      await page.locator(".rows .item").first().waitFor();
      await page.clock.pauseAt(Number(await page.evaluate("Date.now()")) + 60_000);
      await kinds.press("ArrowDown");
      expect(await kinds.inputValue()).toBe("post");
    };
    await choose();
    await page.getByRole("link", { name: "People" }).click();
    await page.getByRole("heading", { name: "People" }).waitFor();
    await page.clock.runFor(2000);
    expect(new URL(page.url()).pathname).toBe("/manage/people");
    // The script of the next page is late: this one is still shown.
    await page.clock.resume();
    await choose();
    const letGo = await holdBack(page, "**/assets/roadmap-*");
    await page.getByRole("link", { name: "Roadmap", exact: true }).click();
    await page.waitForURL("**/roadmap");
    await page.clock.runFor(2000);
    expect(await kinds.count()).toBe(1);
    letGo();
    await page.getByRole("heading", { name: "Roadmap", level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/roadmap");
  });

  it("shows why tags could not be read, and after saving what its search asks for", async () => {
    const names = ["Mobile", ...Array.from({ length: 10 }, (_, n) => `Topic ${n}`)];
    for (const name of names) await portal.call("POST", "/tags", portal.owner, { tag: { name, color: "c026d3" } });
    const { slug } = await portal.post("Works on phones", {}, portal.owner);
    const page = await portal.enter(portal.owner);
    // The page asks as often as it repeats by itself.
    await page.route("**/api/v1/tags", (route) => route.abort(), { times: 3 });
    await page.goto(`/posts/${slug}`);
    await page.locator("summary", { hasText: "Choose tags" }).click();
    await page.getByRole("button", { name: "Try again" }).click();
    const boxes = page.getByRole("form", { name: "Choose tags" });
    await boxes.getByRole("searchbox").fill("mob");
    await boxes.getByLabel("Mobile", { exact: true }).check();
    await boxes.getByRole("button", { name: "Save" }).click();
    await page.locator(".meta").getByRole("link", { name: "Mobile", exact: true }).waitFor();
    expect(await boxes.getByRole("checkbox").count()).toBe(1);
    expect(await boxes.getByRole("searchbox").inputValue()).toBe("mob");
  });
});
