import { documentClient } from "../../../lib/table/client.ts";

type Keys = Record<string, unknown>[];
type Input = { Limit?: number; RequestItems?: Record<string, { Keys: Keys }> };
type Output = { UnprocessedKeys?: Record<string, { Keys: Keys }> };

/** How many keys of a BatchGet, and how many items of a page, a store does. */
type Pieces = { batch: (keys: number) => number; page: (limit: number) => number };

/** From now on the client's store leaves keys of a BatchGet unprocessed, and ends pages of a Query early. */
export function readInPieces({ batch, page }: Pieces): void {
  documentClient().middlewareStack.add(
    (next) => async (args) => {
      const input = args.input as Input;
      if (input.Limit !== undefined) return next({ ...args, input: { ...args.input, Limit: page(input.Limit) } });
      const [[table, request] = []] = Object.entries(input.RequestItems ?? {});
      if (!table || !request) return next(args);
      const count = batch(request.Keys.length);
      const served = request.Keys.slice(0, count);
      const left = request.Keys.slice(count);
      const unprocessed = left.length > 0 ? { [table]: { ...request, Keys: left } } : {};
      if (served.length === 0)
        return { output: { Responses: {}, UnprocessedKeys: unprocessed, $metadata: {} }, response: {} };
      const RequestItems = { [table]: { ...request, Keys: served } };
      const result = await next({ ...args, input: { ...args.input, RequestItems } as typeof args.input });
      (result.output as Output).UnprocessedKeys = unprocessed;
      return result;
    },
    { step: "serialize", priority: "high", name: "readInPieces", override: true },
  );
}
