import { h } from "preact";
import { LocationProvider } from "preact-iso/router";
import { renderToString } from "preact-render-to-string";
import { afterAll, describe, expect, it, vi } from "vitest";
import { useHere } from "../../../portal/parts/use-here.ts";

/** Whether a page that was opened at a url is still here, while the browser is at an address. */
function isHere(url: string, address: string): boolean {
  let answer = () => false;
  const Page = () => {
    answer = useHere();
    return null;
  };
  vi.stubGlobal("location", new URL(address, "http://localhost"));
  renderToString(h(LocationProvider, { url } as object, h(Page, {})));
  return answer();
}

afterAll(() => {
  vi.unstubAllGlobals();
});

describe("A page", () => {
  it.each([
    ["/posts/a?order=oldest", "/posts/a?order=oldest", true],
    ["/posts/a?order=oldest#comments", "/posts/a?order=oldest", true],
    ["/?q=ö", "/?q=%C3%B6", true],
    ["/?q=a", "/?q=b", false],
    ["/posts/a", "/posts/b", false],
  ])("that was opened at %s is, or is not, at the address %s: %s", (url, address, expected) => {
    expect(isHere(url, address)).toBe(expected);
  });
});
