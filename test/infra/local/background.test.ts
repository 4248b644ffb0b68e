import { describe, expect, it } from "vitest";
import { startBackground } from "../../../infra/local/background.ts";
import { defineBackground } from "../../../lib/background.ts";

describe("the poller of npm start", () => {
  it("startBackground refuses a background function whose items it cannot read", () => {
    const digest = defineBackground({ name: "digest", takes: "SITE", table: {} }, async () => {});
    expect(() => startBackground([digest])).toThrow(
      "digest takes SITE: say in infra/local/background.ts how these items are read",
    );
  });
});
