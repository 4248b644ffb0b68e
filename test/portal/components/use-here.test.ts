import { h } from "preact";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { renderToString } from "preact-render-to-string";
import { afterAll, describe, expect, it, vi } from "vitest";
import { useHere } from "../../../portal/parts/use-here.ts";

/** Whether a page that was opened at a url, or what stands beside it, is here while the browser is at an address. */
function isHere(url: string, address: string, place: "page" | "beside" = "page"): boolean {
  let answer: () => boolean = () => expect.unreachable();
  const Asking = () => {
    answer = useHere();
    return null;
  };
  const Silent = () => null;
  const page = h(Route, { default: true, component: place === "page" ? Asking : Silent });
  vi.stubGlobal("location", new URL(address, "http://localhost"));
  renderToString(h(LocationProvider, { url } as object, place === "beside" && h(Asking, {}), h(Router, null, page)));
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
    ["/boards/a/?q=b", "/boards/a/?q=b", true],
    ["/?q=a", "/?q=b", false],
    ["/?q=a", "/", false],
    ["/posts/a", "/posts/b", false],
  ])("that was opened at %s is, or is not, at the address %s: %s", (url, address, expected) => {
    expect(isHere(url, address)).toBe(expected);
  });
});

it("What stands beside the pages is there at each address", () => {
  expect(isHere("/posts/a", "/posts/b", "beside")).toBe(true);
});
