import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../lib/values/ids.ts";
import { send } from "../lib/webhooks/send.ts";
import { commandsOf, filled } from "./support/docs/commands.ts";
import { listen } from "./support/http/listen.ts";
import {
  aFolder,
  eventually,
  projectFolder,
  type ServerProcess,
  spawnServer,
} from "./support/process/server-process.ts";
import { freshTable, newContainer } from "./support/setup.ts";
import { aUser, aWebhook } from "./support/world/fixtures.ts";

// The receiver of docs/webhooks.md as it stands there, in an empty folder. The product signs the message, and a proxy
// passes its body on in pieces.

const FILE = "docs/webhooks.md";

function receiverProgram(): string {
  return /```js\n([\s\S]*?)```/.exec(readFileSync(FILE, "utf8"))?.[1] ?? "";
}

/** A folder with the program, in which the package is installed. */
function aProject(): string {
  const folder = aFolder();
  writeFileSync(join(folder, "receiver.mjs"), receiverProgram());
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(projectFolder, "node_modules/standardwebhooks"), join(folder, "node_modules/standardwebhooks"));
  return folder;
}

/** Cuts a text behind the first byte of its first letter of several bytes. */
function cutInsideALetter(bytes: Buffer): [Buffer, Buffer] {
  const at = bytes.findIndex((byte) => byte > 0x7f) + 1;
  expect(at).toBeGreaterThan(0);
  return [bytes.subarray(0, at), bytes.subarray(at)];
}

let receiverPort = 0;
let chatStatus = 200;
let told: unknown[] = [];
let webhook: Awaited<ReturnType<typeof aWebhook>>;
let receiver: ServerProcess;

/** Passes a message on in two pieces, each a chunk of HTTP, and returns the receiver's status. */
async function passOn(message: IncomingMessage): Promise<number> {
  const { "content-length": _, ...headers } = message.headers;
  const [start, end] = cutInsideALetter(Buffer.concat(await message.toArray()));
  const passed = httpRequest({ port: receiverPort, method: "POST", headers });
  passed.write(start);
  passed.end(end);
  const [answer] = await once(passed, "response");
  answer.resume();
  return answer.statusCode;
}

beforeAll(async () => {
  await freshTable();
  newContainer({ WEBHOOK_PRIVATE_TARGETS: "on" });
  const proxy = createServer(async (message, response) => response.writeHead(await passOn(message)).end());
  const chat = createServer(async (message, response) => {
    told.push(JSON.parse(Buffer.concat(await message.toArray()).toString()));
    response.writeHead(chatStatus).end();
  });
  const chatUrl = `http://127.0.0.1:${await listen(chat)}/hook`;
  const url = `http://127.0.0.1:${await listen(proxy)}`;
  webhook = await aWebhook(await aUser("owner"), { url });
  const [install, start = ""] = commandsOf(FILE).map(({ text }) => text);
  // The tests ask no registry: the package is the project's own.
  expect(install).toBe("npm install standardwebhooks");
  const command = filled(start, { secret: webhook.secret, url: chatUrl });
  receiver = spawnServer({ command: ["bash", "-c", command], cwd: aProject(), env: { PORT: "0" } });
  await eventually(() => expect(receiver.output()).toMatch(/Listening on port \d+/));
  receiverPort = Number(/port (\d+)/.exec(receiver.output())?.[1]);
});

beforeEach(() => {
  told = [];
  chatStatus = 200;
});

async function statusOf(title: string, to = webhook.webhook) {
  const payload = { type: "post.created", timestamp: new Date().toISOString(), data: { post: { title } } };
  return (await send(to, newId(), payload)).status;
}

describe("The receiver of docs/webhooks.md", () => {
  it.each([
    ["Japanese", "日本語のタイトル"],
    ["emoji", "👩‍👩‍👧 for families"],
    ["German", "Größere Schrift"],
    ["Arabic", "إضافة الوضع الداكن"],
  ])("takes a body that is cut inside a letter: %s", async (_, title) => {
    expect(await statusOf(title)).toBe(204);
    expect(told).toEqual([{ text: `New: ${title}` }]);
  });

  it("asks for the message again when the chat does not take it", async () => {
    chatStatus = 503;
    expect(await statusOf("Später")).toBe(500);
    expect(receiver.output()).toContain("The chat answers 503");
  });

  it("refuses a message with another signature, and says why", async () => {
    const other = await aWebhook(await aUser("owner"), { url: webhook.webhook.url });
    expect(await statusOf("Gefälscht", other.webhook)).toBe(400);
    expect(receiver.output()).toContain("Refused: No matching signature found");
    expect(told).toEqual([]);
  });
});
