// Loaded before the project's scripts, by a Node of any age: says what to do if this Node cannot run them.
// They need TypeScript without a build step and `import.meta.main`: Node 22.18 or newer of Node 22, and Node 24.2 or newer.
if (!process.features.typescript || import.meta.main === undefined) {
  console.error(
    `This needs Node 24.2 or newer (or Node 22 from 22.18) and got ${process.versions.node}. npm ci brings Node 24 for Linux and Intel Macs, unless it runs with --omit=optional; elsewhere install it.`,
  );
  process.exit(1);
}
