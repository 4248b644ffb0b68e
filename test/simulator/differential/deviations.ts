import type { Command, Reply } from "./engines.ts";

/** A reply of an engine that contradicts AWS's documents; the model follows AWS. */
type Deviation = {
  engine: "dynoxide" | "dynamodb-local";
  /** The behaviour of the engine, and of AWS. */
  what: string;
  /** Whether a difference between the model's reply and the engine's is this one. */
  explains: (command: Command, model: Reply, engine: Reply) => boolean;
};

function says({ body }: Reply, words: string): boolean {
  return String(body.message ?? body.Message).includes(words);
}

function isRefused({ status, body }: Reply): boolean {
  return status === 400 && String(body.__type).endsWith("#ValidationException");
}

const BAD_PATH = "The document path provided in the update expression is invalid for update";
const BAD_START = "The provided starting key does not match";

function reasonsIn({ body }: Reply): { Code: string; Message?: string }[] {
  return (body.CancellationReasons ?? []) as [];
}

export const deviations: Deviation[] = [
  {
    engine: "dynoxide",
    what: "accepts a starting key outside of the range; AWS refuses it",
    explains: (_, model, engine) => says(model, BAD_START) && engine.status === 200,
  },
  {
    engine: "dynamodb-local",
    what: "refuses a starting key at the far edge of the range, though it gives such keys out; AWS accepts them",
    explains: ({ operation }, model, engine) =>
      operation === "Query" && model.status === 200 && says(engine, BAD_START),
  },
  {
    engine: "dynamodb-local",
    what: "names no last key where the limit is met at the far edge of the range; AWS names it wherever the limit is met",
    explains: ({ operation, input }, model, engine) =>
      operation === "Query" &&
      model.body.ScannedCount === input.Limit &&
      "LastEvaluatedKey" in model.body &&
      !("LastEvaluatedKey" in engine.body),
  },
  {
    engine: "dynoxide",
    what: "ignores the removal of a member of a map that is not there; AWS calls the path invalid",
    explains: ({ input, operation }, model, engine) =>
      JSON.stringify(input).includes("REMOVE") &&
      (operation === "TransactWriteItems"
        ? reasonsIn(model).some(({ Message }) => Message === BAD_PATH)
        : says(model, BAD_PATH) && engine.status === 200),
  },
  {
    engine: "dynoxide",
    what: "cancels a transaction for paths that overlap, or carries it out; AWS refuses the request",
    explains: ({ operation }, model, engine) =>
      operation === "TransactWriteItems" && isRefused(model) && !isRefused(engine),
  },
  {
    engine: "dynamodb-local",
    what: "refuses a transaction whose change does not suit an item; AWS cancels it, with the reason ValidationError",
    explains: (_, model, engine) =>
      reasonsIn(model).some(({ Code }) => Code === "ValidationError") && isRefused(engine),
  },
];
