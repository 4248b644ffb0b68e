import * as z from "zod/mini";
import { mapped, optional, refuse } from "./inputs.ts";

// Larger than every list, and small enough to multiply.
const MAX_NUMBER = 2 ** 40;

function wholeNumber(value: number | string, context: z.core.ParsePayload): number {
  const number = typeof value === "number" || /^\d+$/.test(value) ? Number(value) : Number.NaN;
  // A decimal string may be too long to be exact; it is then far above the largest number.
  if (number >= 1 && (typeof value === "string" || Number.isInteger(number))) return Math.min(number, MAX_NUMBER);
  return refuse(context, "Must be a whole number of at least 1");
}

const WHOLE_NUMBER = { type: "integer", minimum: 1 } as const;

export const QueryNumber = z.pipe(z.string(), z.transform<string, number>(wholeNumber)).check(z.meta(WHOLE_NUMBER));

export const BodyNumber = z
  .pipe(z.union([z.number(), z.string()], "Must be a number"), z.transform(wholeNumber))
  .check(z.meta(WHOLE_NUMBER));

/** The number of items on a page; a larger one than `max` becomes `max`. */
export function pageSize(number: z.ZodMiniType<number>, fallback: number, max: number) {
  const given = optional(number.check(z.meta({ maximum: max })));
  return mapped(given, (size) => Math.min(size ?? fallback, max)).check(z.meta({ default: fallback }));
}

export const Order = mapped(
  optional(z.pipe(z.string().check(z.toLowerCase()), z.enum(["asc", "desc"])).check(z.meta({ enum: ["asc", "desc"] }))),
  (order) => order ?? ("desc" as const),
).check(z.meta({ default: "desc" }));

/** Some of these words in any case, joined by commas, as repeated parameters arrive; without any, the first one. */
export function wordSet<const W extends string>(words: readonly [W, ...W[]], byDefault: readonly W[] = [words[0]]) {
  const read = (text: string | null | undefined, context: z.core.ParsePayload): Set<W> => {
    const given = (text ?? "")
      .toLowerCase()
      .split(",")
      .map((word) => word.trim());
    const known = given.map((word) => words.find((each) => each === word));
    if (given.some((word, at) => word !== "" && !known[at])) refuse(context, `Must be of ${words.join(", ")}`);
    const found = known.filter((word) => word !== undefined);
    return new Set(found.length > 0 ? found : byDefault);
  };
  return z
    .pipe(z.nullish(z.string()), z.transform(read))
    .check(z.meta({ type: "array", items: { type: "string", enum: [...words] }, default: [...byDefault] }));
}

const sorts = { newest: "desc", oldest: "asc", top: "top", trending: "trending", position: "position" } as const;

function sortOf<const W extends keyof typeof sorts>(words: readonly W[]) {
  const word = z.pipe(z.string().check(z.toLowerCase()), z.enum(words));
  return mapped(word, (named) => sorts[named]).check(z.meta({ enum: [...words] }));
}

export const Sort = sortOf(["newest", "oldest", "top", "trending"]);

export const SortByTime = sortOf(["newest", "oldest"]);

export const SortByTimeOrPosition = sortOf(["newest", "oldest", "position"]);
