import { connect, type Socket } from "node:net";
import { gunzipSync } from "node:zlib";
import { checkHttpAnswer } from "./document.ts";

/** An answer as it came over the wire. */
type RawAnswer = { status: number; headers: Record<string, string[]>; body: string };

export function open(port: number): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect(port, "127.0.0.1", () => done(socket));
    socket.once("error", fail);
  });
}

export function untilEnd(socket: Socket): Promise<string> {
  return new Promise((done) => {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", () => {});
    socket.on("close", () => done(Buffer.concat(chunks).toString("latin1")));
  });
}

/** The answers in what a server sent; each must carry its length. */
export function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== ""; ) {
    const end = rest.indexOf("\r\n\r\n");
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const headers: Record<string, string[]> = {};
    for (const line of lines) {
      const colon = line.indexOf(":");
      const name = line.slice(0, colon).toLowerCase();
      headers[name] = [...(headers[name] ?? []), line.slice(colon + 1).trim()];
    }
    const length = Number(headers["content-length"]?.[0] ?? 0);
    answers.push({ status: Number(first.split(" ")[1]), headers, body: rest.slice(end + 4, end + 4 + length) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

/** Sends bytes over a connection of their own and reads all answers until the server ends it. */
export async function exchange(port: number, bytes: string | Buffer): Promise<RawAnswer[]> {
  const socket = await open(port);
  const answer = untilEnd(socket);
  socket.write(bytes);
  const answers = answersIn(await answer);
  const [, method = "", target = ""] = /^([A-Z]+) (\S+) HTTP/.exec(bytes.toString()) ?? [];
  const [only] = answers;
  if (answers.length === 1 && only) checkHttpAnswer(method, target, only.status, contentOf(only));
  return answers;
}

function contentOf({ headers, body }: RawAnswer): string {
  const bytes = Buffer.from(body, "latin1");
  return (headers["content-encoding"]?.[0] === "gzip" ? gunzipSync(bytes) : bytes).toString();
}

/** The text of a request after which the server is to end the connection. */
export function requestText(line: string, headers: string[] = [], body = ""): string {
  return [`${line} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers, "", body].join("\r\n");
}
