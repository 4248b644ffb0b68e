import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { afterEach, describe, expect, it } from "vitest";
import { apiAt } from "../../../portal/api.ts";
import { begin } from "../../../portal/data.ts";
import { token } from "../../../portal/session.ts";
import { useIsSuspended } from "../../../portal/site.ts";

/** Whether a page says that the account is suspended, with what is known of its rights. */
function isSuspended(rights: unknown): boolean {
  begin(apiAt("http://localhost"), { '["rights"]': { data: rights } });
  let answer = false;
  const Page = () => {
    answer = useIsSuspended();
    return null;
  };
  renderToString(h(Page, {}));
  return answer;
}

afterEach(() => {
  token.value = undefined;
});

describe("An account that is signed in", () => {
  it("is not called suspended by what the server knew of a visitor", () => {
    token.value = "a token";
    expect(isSuspended(null)).toBe(false);
    expect(isSuspended({ permissions: [], scopes: [] })).toBe(true);
    expect(isSuspended({ permissions: ["post:create"], scopes: [] })).toBe(false);
  });
});
