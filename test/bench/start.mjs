// A process of npm run bench: its last line is the processor time of the import of a bundle and its first request.
const [file, event] = process.argv.slice(2);
const before = process.cpuUsage();
const { handler } = await import(file);
const context = { awsRequestId: "request", getRemainingTimeInMillis: () => 10_000 };
const { statusCode, body } = await handler(JSON.parse(event), context);
const { user, system } = process.cpuUsage(before);
if (statusCode >= 400) throw new Error(`${statusCode} ${body}`);
process.stdout.write(`\n${(user + system) / 1000}`, () => process.exit());
