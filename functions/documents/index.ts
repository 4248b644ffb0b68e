import { BASE_PATH } from "../../lib/http/routes.ts";

/** The functions that answer a document, by the names of their modules, with the route of each. */
export const documentFunctions = { openapi: "/openapi.json", unsubscribe: `${BASE_PATH}/unsubscribe` } as const;
