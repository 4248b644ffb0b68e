/** The functions that answer a document, by the names of their modules, with the route of each. */
export const documentFunctions = { openapi: "/openapi.json" } as const;
