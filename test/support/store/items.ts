import * as z from "zod/mini";

/** Reads stored items as they are. */
export const anything = z.record(z.string(), z.unknown());
