import * as z from "zod/mini";

export const anything = z.record(z.string(), z.unknown());
