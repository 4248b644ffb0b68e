import { afterEach, describe, expect, it, vi } from "vitest";
import { createdAt, dayOf, idAt, newId } from "../../../lib/values/ids.ts";

afterEach(() => {
  vi.useRealTimers();
});

function setClock(time: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: time });
}

// Later than what any other test of this file set: the generator never goes back.
const NOON = Date.parse("2031-05-17T12:00:00.000Z");

describe("An id", () => {
  it("sorts after every earlier one of its process, also within a millisecond and if the clock goes back", () => {
    setClock(NOON);
    const ids = Array.from({ length: 20_000 }, (_, at) => {
      if (at === 10_000) setClock(NOON - 5000);
      return newId();
    });
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(createdAt(ids.at(-1) as string)).toBe("2031-05-17T12:00:00.000Z");
  });

  it("contains its moment to the millisecond, and so its UTC day", () => {
    for (const time of ["1970-01-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z", "2025-01-01T00:00:00.000Z"]) {
      const id = idAt(Date.parse(time));
      expect(createdAt(id)).toEqual(time);
      expect(dayOf(id)).toEqual(time.slice(0, 10));
    }
  });
});
