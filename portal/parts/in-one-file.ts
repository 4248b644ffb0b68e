// What the files that are loaded later share with a page's first ones. Each of them exports it, so that the builder
// keeps it in one file. Otherwise it makes one for each set of files that share something, and every page asks for all.

export * from "./copy-link.tsx";
export * from "./layout.tsx";
export * from "./pages.tsx";
export * from "./post-row.tsx";
export * from "./use-later.ts";
