// The operator's command save-canny: keeps what Canny's API tells of an account in a folder, for the import.
// docs/moving.md#from-canny.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readCommandLine } from "../usage.ts";

const USAGE = "npm run operate -- save-canny <folder>, with CANNY_API_KEY";

type Page = Record<string, unknown> & { hasMore?: boolean; hasNextPage?: boolean; cursor?: string };

/** The lists that are kept, in their paths, and the field of a page that holds its rows. */
const lists = [
  ["boards", "/v1/boards/list", "boards"],
  ["posts", "/v1/posts/list", "posts"],
  ["votes", "/v1/votes/list", "votes"],
  ["comments", "/v2/comments/list", "items"],
] as const;

const LIMIT = 100;
const ATTEMPTS = 5;

/** Asks for a page. The key is in the body, as Canny wants it, and in nothing that is printed or kept. */
async function ask(path: string, body: Record<string, unknown>): Promise<Page> {
  const { CANNY_API_KEY: apiKey, CANNY_URL = "https://canny.io/api" } = process.env;
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${CANNY_URL}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ apiKey, limit: LIMIT, ...body }),
      signal: AbortSignal.timeout(60_000),
    }).catch((error: Error) => {
      const { message } = error.cause instanceof Error ? error.cause : error;
      throw new Error(`Canny does not answer at ${CANNY_URL}: ${message}`);
    });
    if (answer.ok) return (await answer.json()) as Page;
    const isTemporary = answer.status === 429 || answer.status >= 500;
    if (!isTemporary || attempt === ATTEMPTS) throw new Error(`Canny answers ${answer.status} to ${path}`);
    await sleep(500 * 2 ** attempt);
  }
}

/** Keeps all pages of a list. Returns the number of its rows. */
async function save(folder: string, [name, path, field]: (typeof lists)[number]): Promise<number> {
  let rows = 0;
  let place: Record<string, unknown> = {};
  for (let number = 1; ; number++) {
    const page = await ask(path, place);
    writeFileSync(join(folder, `${name}-${String(number).padStart(5, "0")}.json`), JSON.stringify(page), {
      mode: 0o600,
    });
    rows += (page[field] as unknown[] | undefined)?.length ?? 0;
    if (!page.hasMore && !page.hasNextPage) return rows;
    place = page.cursor === undefined ? { skip: rows } : { cursor: page.cursor };
  }
}

export async function run(words: readonly string[]): Promise<number> {
  const [folder] = readCommandLine(USAGE, { values: 1 }, words).values;
  if (!folder || !process.env.CANNY_API_KEY) {
    console.error(`Usage: ${USAGE}`);
    return 1;
  }
  if (existsSync(folder)) {
    console.error(`${folder} exists: give a folder that does not, so that nothing of an earlier run is in it`);
    return 1;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    for (const list of lists) console.log(`${list[0]}: ${await save(folder, list)}`);
    return 0;
  } catch (error) {
    // The next run, perhaps with the right key, makes it anew.
    rmSync(folder, { recursive: true });
    console.error((error as Error).message);
    return 1;
  }
}
