import { createServer } from "node:http";
import { listen } from "../http/listen.ts";

/** Plays the Invoke API of Lambda for a function until the test file ends. Returns the url for DELIVER_URL. */
export async function startLambdaService(call: (event: never) => Promise<unknown>): Promise<string> {
  const path = "/2015-03-31/functions/deliver/invocations";
  const server = createServer(async (request, response) => {
    const event = JSON.parse(Buffer.concat(await request.toArray()).toString()) as never;
    const isSigned = request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=");
    if (request.url !== path || !isSigned) return void response.writeHead(403).end();
    const isAsynchronous = request.headers["x-amz-invocation-type"] === "Event";
    const result = call(event);
    if (isAsynchronous) response.writeHead(202).end();
    else
      await result.then(
        (value) => response.writeHead(200).end(JSON.stringify(value)),
        ({ message }: Error) =>
          response
            .writeHead(200, { "x-amz-function-error": "Unhandled" })
            .end(JSON.stringify({ errorMessage: message })),
      );
  });
  return `http://127.0.0.1:${await listen(server)}${path}`;
}
