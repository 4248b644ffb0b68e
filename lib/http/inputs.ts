import * as z from "zod/mini";
import type { ErrorCode } from "../runtime/errors.ts";

// What the inputs of requests are built of. A failure is a VALIDATION_ERROR, unless the issue has another code in
// `params.code`. `meta` describes as JSON Schema what code checks: docs/openapi.json is made from it, and
// test/infra/openapi/limits.test.ts tries it.

export function refuse(context: z.core.ParsePayload, message: string, params?: { code: ErrorCode }): never {
  context.issues.push({ code: "custom", message, input: context.value, ...(params && { params }) });
  return z.NEVER;
}

/** A schema whose value is changed after its checks. */
export function mapped<S extends z.ZodMiniType, T>(
  schema: S,
  change: (value: z.output<S>, context: z.core.ParsePayload) => T,
) {
  return z.pipe(schema, z.transform(change));
}

/** A value as `read` returns it; where `read` returns undefined, the input fails with `code`. */
export function readAs<T>(read: (value: unknown) => T | undefined, code: ErrorCode) {
  return mapped(z.unknown(), (value, context): T => read(value) ?? refuse(context, "Not usable here", { code }));
}

/** Any value that is not missing. Null counts as missing, and what `isEmpty` is true for; it fails with `code`. */
export function present(code: ErrorCode, isEmpty: (value: unknown) => boolean) {
  return z.unknown().check(
    z.superRefine((value, context) => {
      if (value !== undefined && value !== null && !isEmpty(value)) return;
      context.addIssue({ code: "custom", message: "Missing", params: { code }, continue: false });
    }),
  );
}

/** An optional field: `null` counts as absent. */
export function optional<S extends z.ZodMiniType>(schema: S) {
  return mapped(z.nullish(schema), (value: z.output<S> | null | undefined) => value ?? undefined);
}

type ChangeIn<T> = {
  [Name in keyof T]?: Exclude<T[Name], null | undefined> | (null extends T[Name] ? undefined : never);
};

/** The change that a body asks for: an absent field stays absent, null becomes undefined, which removes a field. */
export function changeIn<T extends object>(body: T): ChangeIn<T> {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, value ?? undefined])) as ChangeIn<T>;
}

/** The names of the fields that a body gives, also of those that it removes. */
export function namesIn(body: object): string[] {
  return Object.keys(changeIn(body));
}

/** The same for the audit log: of a switch also which way it goes. */
export function toldIn(body: object): string[] {
  const nameOf = ([name, value]: [string, unknown]) =>
    typeof value === "boolean" ? `${name}.${value ? "on" : "off"}` : name;
  return Object.entries(changeIn(body)).map(nameOf);
}
