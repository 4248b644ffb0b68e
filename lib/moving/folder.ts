import { createHash, randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync } from "node:fs";
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BASE_PATH } from "../http/routes.ts";
import { apiUrl } from "../runtime/environment.ts";
import { LINK_SECONDS, type Shelf, type Upload, UploadGone } from "./shelf.ts";

/** A file behind a link of this process, until it ends (ms since 1970). */
type Link = { file: string; as: string; endsAt: number };

const links = new Map<string, Link>();

// Below the API's path: what leads people to the API leads them to the file.
const LINKS = "/exports/files/";

let reachedAt: string | undefined;

/** Says where people reach this process, if API_URL and SITE_URL cannot say it. */
export function answerLinksAt(baseUrl: string): void {
  reachedAt = baseUrl;
}

/** The file behind the path of a link; undefined for another path, and once the link has ended. */
export function linkAt(path: string): Link | undefined {
  const start = `${BASE_PATH}${LINKS}`;
  const link = path.startsWith(start) ? links.get(path.slice(start.length)) : undefined;
  return link && Date.now() < link.endsAt ? link : undefined;
}

/** A folder of this machine, which only its owner can read. */
export function folderAt(folder: string): Shelf {
  const fileOf = (name: string) => join(folder, name.replaceAll("/", "-"));
  const partOf = ({ name, id }: Upload, number: number) => `${fileOf(name)}.${id}.${number}`;

  async function put(name: string, content: Buffer): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // A kill leaves the old file or the new one.
    await writeFile(`${fileOf(name)}.new`, content, { mode: 0o600 });
    await rename(`${fileOf(name)}.new`, fileOf(name));
  }

  /** Removes the files whose names begin so: also the parts of a file that was not completed. */
  async function removeAll(start: string): Promise<void> {
    const files = existsSync(folder) ? await readdir(folder) : [];
    const own = files.map((file) => join(folder, file)).filter((file) => file.startsWith(start));
    await Promise.all(own.map((file) => rm(file, { force: true })));
  }

  return {
    put,
    get: async (name) => (existsSync(fileOf(name)) ? readFile(fileOf(name)) : undefined),
    remove: (name) => removeAll(fileOf(name)),
    removeLost: (name) => removeAll(fileOf(`${name}/`)),
    begin: async () => randomBytes(8).toString("hex"),
    putPart: async (upload, number, content) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(partOf(upload, number), content, { mode: 0o600 });
      return createHash("sha256").update(content).digest("hex");
    },
    complete: async (upload, tags) => {
      const parts = tags.map((_, at) => partOf(upload, at + 1));
      const whole = fileOf(upload.name);
      if (!parts.every((part) => existsSync(part))) {
        // An earlier call has completed it.
        if (existsSync(whole)) return;
        throw new UploadGone("a part of the file is gone");
      }
      closeSync(openSync(`${whole}.new`, "w", 0o600));
      for (const part of parts) await appendFile(`${whole}.new`, await readFile(part));
      await rename(`${whole}.new`, whole);
      await Promise.all(parts.map((part) => rm(part)));
    },
    linkTo: async (name, as) => {
      const now = Date.now();
      for (const [token, { endsAt }] of links) if (endsAt <= now) links.delete(token);
      const token = randomBytes(32).toString("hex");
      links.set(token, { file: fileOf(name), as, endsAt: now + LINK_SECONDS * 1000 });
      return `${reachedAt ?? apiUrl()}${LINKS}${token}`;
    },
  };
}
