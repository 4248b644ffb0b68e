import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDataFolder } from "../../../infra/local/data-folder.ts";
import { aFolder, spawnServer } from "../../support/process/server-process.ts";

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

describe("A data folder", () => {
  it("closes to others if it was empty, and keeps its mode if it has other files", () => {
    const [empty, shared] = [aFolder(), aFolder()];
    writeFileSync(join(shared, "notes.txt"), "not ours");
    for (const path of [empty, shared]) {
      chmodSync(path, 0o755);
      openDataFolder(path).release();
    }
    expect([modeOf(empty), modeOf(shared)]).toEqual(["700", "755"]);
  });

  it("must not be a file", () => {
    const file = join(aFolder(), "file");
    writeFileSync(file, "");
    expect(() => openDataFolder(file)).toThrow(`${file} is not a folder: set DATA_DIR to one`);
  });

  it.runIf(process.platform === "linux")("ends the start in one line if it cannot be written", async () => {
    const parent = aFolder();
    const folder = join(parent, "closed");
    mkdirSync(folder);
    chmodSync(parent, 0o755);
    chmodSync(folder, 0o555);
    // Root may write anywhere, so the server runs as the user nobody.
    const uid = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    for (const DATA_DIR of [folder, join(folder, "data")]) {
      const server = spawnServer({ env: { DATA_DIR, HOME: "/" }, ...uid });
      expect(await server.ended).toBe(1);
      expect(server.output()).toMatch(/^[^\n]*closed[^\n]* set DATA_DIR to [^\n]*\n$/);
    }
  });
});
