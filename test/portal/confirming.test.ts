import { describe, expect, it } from "vitest";
import { BROWSER } from "../support/process/browser.ts";
import { signIn, signUp } from "../support/process/entering.ts";
import { aPortal } from "../support/process/portal.ts";

// A site on which nobody votes or writes before their address is confirmed.

describe.skipIf(!BROWSER)("A visitor of a site that asks for a confirmed address", () => {
  const portal = aPortal({ env: { REQUIRE_VERIFIED: "on" } });

  it("comes from the mail of the sign-up to the post, whose button has the keyboard", async () => {
    await portal.confirm("owner@example.com", portal.owner);
    const { slug } = await portal.post("Confirmed first");
    const page = await portal.open("/");
    const vote = "[aria-label^='Vote for Confirmed first']";
    await page.locator(vote).click();
    await signUp(page, "Vera");
    await page.getByText("Please confirm your email address first: we have sent you a link.").waitFor();
    const other = await (await portal.enterAlone()).newPage();
    await other.goto(await portal.linkTo("vera@example.com"));
    await signIn(other, "vera@example.com");
    await other.getByText("You wanted to vote for this").waitFor();
    await other.waitForURL(`**/posts/${slug}`);
    await other.locator(`${vote}[aria-pressed=false]:focus`).waitFor();
    await other.keyboard.press("Enter");
    await other.getByText("Your vote is counted.").waitFor();
    const { post } = (await portal.call("POST", "/posts/slug", undefined, { slug })).body;
    expect(post.voters.votesCount).toBe(1);
  });
});
