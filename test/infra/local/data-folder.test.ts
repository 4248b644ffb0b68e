import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { dataFolderPath, openDataFolder } from "../../../infra/local/data-folder.ts";
import { clearLine } from "../../../infra/local/run.ts";
import { aFolder } from "../../support/process/server-process.ts";

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

/** What the start says of a folder that it cannot open. */
function messageOf(path: string): string | undefined {
  try {
    openDataFolder(path).release();
  } catch (error) {
    return clearLine(error);
  }
}

/** Root may write anywhere. Another user may not reach the project's files, so the work stays in this process. */
function asOrdinaryUser<T>(work: () => T): T {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe("A data folder", () => {
  it("closes to others if it was empty, and keeps its mode if it has other files", () => {
    const empty = aFolder();
    const shared = aFolder();
    writeFileSync(join(shared, "notes.txt"), "not ours");
    for (const path of [empty, shared]) {
      chmodSync(path, 0o755);
      openDataFolder(path).release();
    }
    expect(modeOf(empty)).toBe("700");
    expect(modeOf(shared)).toBe("755");
  });

  it("must not be a file", () => {
    const file = join(aFolder(), "file");
    writeFileSync(file, "");
    expect(() => openDataFolder(file)).toThrow(`${file} is not a folder: set DATA_DIR to one`);
  });

  it("is made with the folders above it, and below no folder that holds none", () => {
    const path = join(aFolder(), "a", "b");
    openDataFolder(path).release();
    expect(modeOf(path)).toBe("700");
    if (process.platform !== "linux") return;
    for (const impossible of ["/proc/none", "/proc/none/data"])
      expect(messageOf(impossible)).toBe(
        "/proc/none cannot be used as a data folder (ENOENT): set DATA_DIR to another one",
      );
  });

  it("may begin with a tilde, which no shell replaces in quotes", () => {
    expect(dataFolderPath("~/board")).toBe(join(homedir(), "board"));
    expect(dataFolderPath("~")).toBe(homedir());
    expect(dataFolderPath("a/~/b")).toBe(resolve("a/~/b"));
    expect(dataFolderPath("~ada")).toBe(resolve("~ada"));
  });

  it("must be writable, or the start says in one line which one is not", () => {
    const folder = join(aFolder(), "closed");
    mkdirSync(folder);
    chmodSync(join(folder, ".."), 0o755);
    chmodSync(folder, 0o555);
    for (const path of [folder, join(folder, "data")]) {
      expect(asOrdinaryUser(() => messageOf(path))).toMatch(/^[^\n]*closed[^\n]* set DATA_DIR to [^\n]*$/);
    }
  });
});
