// Loaded before a script of npm: an older Node fails at the first line of TypeScript, and says nothing of its version.
const [major, minor] = process.versions.node.split(".").map(Number);

if (major < 24 || (major === 24 && minor < 7)) {
  console.error(`This is Node ${process.versions.node}: install Node 24.7 or newer (docs/local.md#other-systems)`);
  process.exit(1);
}
