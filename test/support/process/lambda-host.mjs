// The part of Lambda's runtime that a bundling mistake would show itself to: loads one bundle by its path, calls its
// handler. In JavaScript: to strip types takes longer than to load a bundle.
import { pathToFileURL } from "node:url";

const { handler } = await import(pathToFileURL(process.argv[2]).href);

process.on("message", async (event) => {
  const end = Date.now() + 10_000;
  const context = { awsRequestId: "request", getRemainingTimeInMillis: () => end - Date.now() };
  process.send({ answer: await handler(event, context) });
});
process.send({ ready: true });
