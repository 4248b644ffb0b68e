// The resources of answers (docs/contract.md#resources), each with the view that makes it from stored records. A schema
// is also the serialiser: a field that it does not name is not sent. Functions import from the file of a subject.

export * from "./resources/accounts.ts";
export * from "./resources/answers.ts";
export * from "./resources/audit.ts";
export * from "./resources/catalogue.ts";
export * from "./resources/comments.ts";
export * from "./resources/erasures.ts";
export * from "./resources/events.ts";
export * from "./resources/exports.ts";
export * from "./resources/figures.ts";
export * from "./resources/held.ts";
export * from "./resources/imports.ts";
export * from "./resources/personal-data.ts";
export * from "./resources/posts.ts";
export * from "./resources/providers.ts";
export * from "./resources/site.ts";
export * from "./resources/sso.ts";
export * from "./resources/votes.ts";
export * from "./resources/webhooks.ts";
