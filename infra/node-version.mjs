// Loaded before the project's scripts, by a Node of any age: says what is missing where this one cannot run them.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This needs Node 22.18 or newer and got ${process.versions.node}. npm ci brings Node 24 for Linux and Intel Macs (not with --omit=optional); elsewhere install it.`,
  );
  process.exit(1);
}
