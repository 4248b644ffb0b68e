import { expect, it } from "vitest";
import { acceptsGzip } from "../../../../infra/local/gateway/portal.ts";

it.each([
  ["gzip", true],
  ["GZIP, br", true],
  ["br;q=1.0, gzip;q=0.8, *;q=0.1", true],
  ["gzip;q=0", false],
  ["br, gzip; q=0.000", false],
  ["x-gzip", false],
  ["identity", false],
  ["", false],
  [undefined, false],
])("answers Accept-Encoding %j with gzip: %j", (accepted, isCompressed) => {
  expect(acceptsGzip(accepted)).toBe(isCompressed);
});
