import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { beforeEach, describe, expect, it } from "vitest";
import { apiAt, Failure } from "../../../portal/api.ts";
import { begin, change, define, type Read, useRead } from "../../../portal/data.ts";
import { signIn, signOut } from "../../../portal/session.ts";

// What pages read, without a page: a rendering shows what is known at that moment.

/** The readings that have begun, each with what ends it. */
let begun: ((data: string) => void)[];

const thing = define("thing", () => new Promise<string>((end) => begun.push(end)));

/** What a page shows of the thing, and what reads it again. */
function shown() {
  const page: { data?: string | undefined; again: () => Promise<void> } = { again: async () => {} };
  const Page = () => {
    Object.assign(page, useRead(thing()));
    return null;
  };
  renderToString(h(Page, {}));
  return page;
}

beforeEach(() => {
  begun = [];
  signOut();
  begin(apiAt("http://localhost"));
});

describe("A thing that a page reads", () => {
  it("is what the last reading has found, whichever ends last", async () => {
    const { again } = shown();
    const readings = [again(), again()];
    begun[1]?.("the later one");
    begun[0]?.("the earlier one");
    await Promise.all(readings);
    expect(shown().data).toBe("the later one");
  });

  it("is read once more if it was changed meanwhile", async () => {
    const { again } = shown();
    const first = again();
    begun[0]?.("before");
    await first;
    const second = again();
    change(thing, () => "changed by a person");
    expect(shown().data).toBe("changed by a person");
    begun[1]?.("before");
    await expect.poll(() => begun).toHaveLength(3);
    expect(shown().data).toBe("changed by a person");
    begun[2]?.("changed, as the service has it");
    await second;
    expect(shown().data).toBe("changed, as the service has it");
  });

  it.each([
    { failures: [503, 0], known: { data: "the answer" }, readings: 3 },
    { failures: [403], known: { failure: 403 }, readings: 1 },
  ])("is $known after failures of $failures, in $readings readings", async ({ failures, known, readings }) => {
    let begun = 0;
    const failing = define("failing", async () => {
      const status = failures[begun++];
      if (status !== undefined) throw new Failure(status, "", "");
      return "the answer";
    });
    let read: (Read<string> & { again: () => Promise<void> }) | undefined;
    const Page = () => {
      read = useRead(failing());
      return null;
    };
    renderToString(h(Page, {}));
    await read?.again();
    renderToString(h(Page, {}));
    expect({ data: read?.data, failure: read?.failure?.status }).toEqual(known);
    expect(begun).toBe(readings);
  });

  it("is unknown to another account until that has read it, and known to the same one in a new session", async () => {
    const tokenOf = (sub: string, iat: number) => `.${btoa(JSON.stringify({ sub, iat }))}.`;
    signIn(tokenOf("ada", 1));
    const first = shown().again();
    begun[0]?.("what Ada sees");
    await first;
    signIn(tokenOf("ada", 2));
    expect(shown().data).toBe("what Ada sees");
    signIn(tokenOf("grace", 3));
    const page = shown();
    expect(page.data).toBeUndefined();
    const second = page.again();
    begun[1]?.("what Grace sees");
    await second;
    expect(shown().data).toBe("what Grace sees");
  });

  it("is the same one whether an argument is left out or undefined", () => {
    const page = define("page", async (_, of: string, after?: string) => of + after);
    expect(page("posts", undefined)).toMatchObject({ key: page("posts").key });
    expect(page("posts", "x").key).not.toBe(page("posts").key);
  });

  it("is read once more if a change came before anything was known of it", async () => {
    const reading = shown().again();
    change(thing, (known) => `${known}, changed`);
    begun[0]?.("before");
    await expect.poll(() => begun).toHaveLength(2);
    begun[1]?.("after");
    await reading;
    expect(shown().data).toBe("after");
  });
});
