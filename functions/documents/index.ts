/** The functions that answer documents, by the names of their modules, with the route of each. */
export const documentFunctions = { openapi: "/openapi.json" } as const;
