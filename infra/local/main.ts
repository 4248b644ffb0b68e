// npm start: the twelve endpoints and their table on this machine. README.md, "Run it".
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This needs Node 22.18 or newer and got ${process.versions.node}. npm ci brings Node 24 for Linux and Intel Macs; elsewhere install it.`,
  );
  process.exit(1);
}
const { start } = await import("./start.ts");
await start(process.argv.slice(2));
