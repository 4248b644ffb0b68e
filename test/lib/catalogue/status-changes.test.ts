import { describe, expect, it } from "vitest";
import { toldOf } from "../../../lib/catalogue/status-changes.ts";
import type { StatusRecord } from "../../../lib/catalogue/statuses.ts";

function status(statusId: string, more: Partial<StatusRecord> = {}): StatusRecord {
  return { statusId, name: statusId, color: "112233", kind: "open", ...more };
}

const list = (ids: string) => [...ids].map((id) => status(id));
const archived = (id: string) => status(id, { archived: true });

describe("What a new list of statuses changes", () => {
  it.each([
    ["two neighbours", "abcd", "bacd", { item: "b", to: "a" }],
    ["one that comes first", "abcd", "dabc", { item: "d", to: "a" }],
    ["one that goes to the end", "abcd", "bcda", { item: "a", to: "" }],
    ["several", "abcd", "dcba", { item: "", to: "" }],
  ])("is an order: of %s", (_, before, after, told) => {
    expect(toldOf(list(before), list(after))).toEqual({ ...told, changed: ["order"] });
  });

  it.each<[string, StatusRecord[], { item: string; changed: string[] }]>([
    ["a new one", list("abc"), { item: "c", changed: ["created"] }],
    [
      "another name and colour",
      [status("a", { name: "A", color: "445566" }), status("b")],
      { item: "a", changed: ["name", "color"] },
    ],
    ["an end", [status("b"), archived("a")], { item: "a", changed: ["archived"] }],
    ["changes of two", [status("a", { name: "A" }), archived("b")], { item: "", changed: ["name", "archived"] }],
    ["nothing", list("ab"), { item: "", changed: [] }],
  ])("is %s", (_, after, told) => {
    expect(toldOf(list("ab"), after)).toEqual({ to: "", ...told });
  });

  it("is that an archived one is in use again, wherever it comes", () => {
    expect(toldOf([...list("ab"), archived("c")], list("cab"))).toEqual({ item: "c", to: "", changed: ["restored"] });
  });

  it("is a new name and another place of the same one", () => {
    const after = [status("b", { name: "B" }), status("a")];
    expect(toldOf(list("ab"), after)).toEqual({ item: "b", to: "a", changed: ["name", "order"] });
  });
});
