import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import { type Operation, operationAtHand } from "./operation.ts";
import type { Scheduler } from "./scheduler.ts";

// The network of a container: `node:https` as far as HTTP handlers of SDK clients use it. So its time limits, its
// retries and its reading of answers and errors are the real ones.

export type WireRequest = {
  from: string;
  host: string;
  headers: Record<string, string>;
  body: string;
  /** The operation that sent it, and the number of the request in it. */
  operation: Operation | undefined;
  ordinal: number;
};

export type WireAnswer = { status: number; headers: Record<string, string>; body: string };

/** The store's side of a connection. Answers that arrive after the client gave up are lost. */
export type Connection = {
  answer: (answer: WireAnswer) => void;
  /** The head of an answer and a part of its body; then the connection is reset, or silent. */
  cut: (answer: WireAnswer, bodyBytes: number, then: "reset" | "silence") => void;
  /** The connection fails, with one of Node's error codes. */
  fail: (code: "ECONNRESET" | "ECONNREFUSED") => void;
};

export type Network = {
  receive: (request: WireRequest, connection: Connection) => void;
};

export type Port = {
  name: string;
  scheduler: Scheduler;
  network: Network;
  isAlive: () => boolean;
  /** The number of requests that it sent outside of every operation. */
  requests?: number;
};

// To make a connection, with its TLS handshake.
const CONNECTING_MS = 8;

function failure(code: string, message = `simulated ${code}`): Error & { code: string } {
  return Object.assign(new Error(message), { code });
}

class Socket extends EventEmitter {
  connecting: boolean;

  constructor(connecting: boolean) {
    super();
    this.connecting = connecting;
  }

  setKeepAlive(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }

  destroy(): this {
    return this;
  }
}

class Agent {
  readonly keepAlive = true;
  readonly sockets = {};
  readonly requests = {};
  readonly idle = new Map<string, number>();

  destroy(): void {
    this.idle.clear();
  }
}

class IncomingMessage extends Readable {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  complete = false;

  constructor({ status, headers }: WireAnswer) {
    super({ read: () => {} });
    this.statusCode = status;
    this.headers = headers;
  }
}

type RequestOptions = {
  host?: string;
  headers?: Record<string, string>;
  agent?: Agent;
  signal?: AbortSignal;
};

class ClientRequest extends EventEmitter {
  readonly #port: Port;
  readonly #options: RequestOptions;
  readonly #host: string;
  readonly #agent: Agent | undefined;
  readonly #operation = operationAtHand();
  // Listeners run in the AsyncLocalStorage of the code that made the request, as in Node.
  readonly #inContext = AsyncLocalStorage.snapshot();
  #response: IncomingMessage | undefined;
  readonly #body: Buffer[] = [];
  socket: Socket | undefined;
  destroyed = false;

  constructor(port: Port, options: RequestOptions) {
    super();
    this.#port = port;
    this.#options = options;
    this.#host = options.host ?? "";
    this.#agent = options.agent;
    options.signal?.addEventListener("abort", () => this.destroy(failure("ABORT_ERR")));
  }

  write(chunk: string | Uint8Array): boolean {
    this.#body.push(Buffer.from(chunk as string));
    return true;
  }

  end(chunk?: string | Uint8Array): this {
    if (chunk !== undefined) this.write(chunk);
    process.nextTick(() => this.#connect());
    return this;
  }

  destroy(error?: Error): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    if (this.#response && !this.#response.complete) this.#response.destroy(failure("ECONNRESET", "aborted"));
    process.nextTick(() => {
      if (error) this.emit("error", error);
      else if (!this.#response) this.emit("error", failure("ECONNRESET", "socket hang up"));
      this.emit("close");
    });
    return this;
  }

  #connect(): void {
    const { scheduler, isAlive } = this.#port;
    if (this.destroyed || !isAlive()) return;
    const idle = this.#agent?.idle.get(this.#host) ?? 0;
    this.socket = new Socket(idle === 0);
    this.emit("socket", this.socket);
    if (idle > 0) {
      this.#agent?.idle.set(this.#host, idle - 1);
      this.#send();
      return;
    }
    scheduler.after(CONNECTING_MS, () =>
      this.#arrive(() => {
        if (this.socket) this.socket.connecting = false;
        this.socket?.emit("connect");
        this.#send();
      }),
    );
  }

  #send(): void {
    const port = this.#port;
    const { name, network } = port;
    const { headers = {} } = this.#options;
    const operation = this.#operation;
    port.requests ??= 0;
    const ordinal = operation ? operation.requests++ : port.requests++;
    network.receive(
      { from: name, host: this.#host, headers, body: Buffer.concat(this.#body).toString(), operation, ordinal },
      {
        answer: (answer) => this.#respond(answer, undefined),
        cut: (answer, bytes, then) => this.#respond(answer, { bytes, then }),
        fail: (code) => this.#arrive(() => this.destroy(failure(code))),
      },
    );
  }

  /** Delivers to the container, if it still waits. */
  #arrive(event: () => void): void {
    const { scheduler, isAlive } = this.#port;
    if (this.destroyed || !isAlive()) return;
    scheduler.disturb();
    this.#inContext(event);
  }

  #respond(answer: WireAnswer, cut: { bytes: number; then: "reset" | "silence" } | undefined): void {
    this.#arrive(() => {
      const response = new IncomingMessage(answer);
      this.#response = response;
      this.emit("response", response);
      const bytes = Buffer.from(answer.body);
      response.push(cut ? bytes.subarray(0, cut.bytes) : bytes);
      if (!cut) this.#finish(response);
      else if (cut.then === "reset") process.nextTick(() => this.destroy());
    });
  }

  #finish(response: IncomingMessage): void {
    response.complete = true;
    response.push(null);
    this.#agent?.idle.set(this.#host, (this.#agent.idle.get(this.#host) ?? 0) + 1);
    response.once("close", () => {
      this.destroyed = true;
      this.emit("close");
    });
  }
}

type OnResponse = (response: IncomingMessage) => void;

/** The `request` of a container takes what Node's takes: an address or none, options, and a listener or none. */
export function virtualHttps(port: Port) {
  return {
    Agent,
    request: (...given: (URL | RequestOptions | OnResponse)[]) => {
      const url = given.find((each) => each instanceof URL);
      const onResponse = given.find((each) => typeof each === "function");
      const options = given.find((each) => each !== url && each !== onResponse) as RequestOptions;
      const sent = new ClientRequest(port, { ...(url && { host: url.host }), ...options });
      if (onResponse) sent.once("response", onResponse);
      return sent;
    },
  };
}
