import { join } from "node:path";

/** The OpenAPI document as it is kept. */
export const DOCUMENT_FILE = join(import.meta.dirname, "../../docs/openapi.json");
