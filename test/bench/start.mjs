// A process of npm run bench: its last line is the processor time, in milliseconds, of the import of the function that
// lists posts and of its first request.
const [file] = process.argv.slice(2);
const before = process.cpuUsage();
const { handler } = await import(file);
const event = {
  version: "2.0",
  routeKey: "POST /posts/get",
  rawPath: "/api/v1/posts/get",
  rawQueryString: "",
  headers: { "content-type": "application/json" },
  requestContext: { requestId: "request", http: { method: "POST", path: "/posts/get", sourceIp: "127.0.0.1" } },
  body: "{}",
  isBase64Encoded: false,
};
const { statusCode, body } = await handler(event, { awsRequestId: "request", getRemainingTimeInMillis: () => 10_000 });
const { user, system } = process.cpuUsage(before);
if (statusCode !== 200) throw new Error(`${statusCode} ${body}`);
process.stdout.write(`\n${(user + system) / 1000}`, () => process.exit());
