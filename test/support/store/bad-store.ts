import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../http/listen.ts";
import { newContainer } from "../setup.ts";

export type Mood =
  | "well"
  /** Accepts the connection and the request, then stays silent. */
  | "silent"
  /** Sends the head and half of the answer, then stays silent. */
  | "stalls"
  /** Lets the engine do the work, and cuts the connection without an answer. */
  | "cuts"
  /** Lets the engine do the work, and cuts the connection in the middle of the answer. */
  | "cuts the answer"
  /** Lets the engine do the work, and answers with half of the answer as if it were the whole. */
  | "garbles the answer"
  /** Sends an answer that no store sends. */
  | "talks nonsense"
  /** Writes large numbers as `9.33E+29`, as some emulators do. */
  | "shortens numbers"
  | "fails"
  | "throttles";

/**
 * A proxy with modes that take turns, one for each request. They may change at any time, or apply to one operation
 * only.
 */
export type BadStore = { endpoint: string; moods: Mood[]; only?: string; requests: number; stop: () => void };

function refuse(response: ServerResponse, status: number, name: string): void {
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
  response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: "not now" }));
}

/** An answer with its integers of 17 digits and more in scientific notation. */
function shortened(answer: Buffer): Buffer {
  const short = (_: string, first: string, rest: string) =>
    `"N":"${first}.${rest.replace(/0+$/, "") || "0"}E+${rest.length}"`;
  return Buffer.from(answer.toString().replace(/"N":"(-?\d)(\d{16,})"/g, short));
}

/** Passes a request on, and the part of the answer that the mode allows. */
async function pass(engine: string, request: IncomingMessage, response: ServerResponse, mood: Mood): Promise<void> {
  const { host: _, connection: __, "content-length": ___, ...headers } = request.headers as Record<string, string>;
  const body = Buffer.concat(await request.toArray());
  const answer = await fetch(engine, { method: "POST", headers, body });
  const whole = Buffer.from(await answer.arrayBuffer());
  const half = mood === "garbles the answer" ? whole.subarray(0, whole.length / 2) : whole;
  const bytes = mood === "shortens numbers" ? shortened(half) : half;
  if (mood === "cuts") return void response.destroy();
  response.writeHead(answer.status, { "content-type": "application/x-amz-json-1.0", "content-length": bytes.length });
  if (["well", "garbles the answer", "shortens numbers"].includes(mood)) return void response.end(bytes);
  response.write(bytes.subarray(0, bytes.length / 2), () => {
    if (mood === "cuts the answer") response.destroy();
  });
}

export async function startBadStore(engine: string): Promise<BadStore> {
  const server = createServer((request, response) => {
    const isMeant = !store.only || request.headers["x-amz-target"] === `DynamoDB_20120810.${store.only}`;
    const mood = (isMeant && store.moods[store.requests++ % store.moods.length]) || "well";
    if (mood === "silent") return;
    if (mood === "fails") return refuse(response, 500, "InternalServerError");
    if (mood === "throttles") return refuse(response, 400, "ThrottlingException");
    if (mood === "talks nonsense") return void response.end("<html>Welcome</html>");
    pass(engine, request, response, mood).catch(() => response.destroy());
  });
  const store: BadStore = {
    endpoint: `http://127.0.0.1:${await listen(server)}`,
    moods: ["well"],
    requests: 0,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return store;
}

/** Sends all further calls of this file to another store, through a new client. */
export function turnTo(endpoint: string): void {
  newContainer({ DYNAMODB_ENDPOINT: endpoint });
}
