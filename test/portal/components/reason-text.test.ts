import { beforeAll, expect, it } from "vitest";
import { reasonText } from "../../../portal/pages/manage/reason-text.ts";
import { loadTexts } from "../../../portal/text.ts";

beforeAll(() => loadTexts("en"));

it.each([
  ["the language of the page", "HOST_UNKNOWN", "The host is not known", "The host is not known"],
  [
    "a whole detail",
    "CODE_REFUSED",
    "The provider refuses the code: a: b: c",
    "The provider refuses the code: a: b: c",
  ],
  ["no colon without a detail", "CODE_REFUSED", "The provider refuses the code", "The provider refuses the code"],
  ["no brackets without a detail", "CONNECTION_FAILED", "The connection failed", "The connection failed"],
  ["the words of a code of tomorrow", "SUN_TOO_BRIGHT", "The sun is too bright: noon", "The sun is too bright: noon"],
  ["words without a code", null, "Something else", "Something else"],
  ["nothing without a reason", null, null, undefined],
])("A reason is told with %s", (_, reasonCode, reason, said) => {
  expect(reasonText({ reason, reasonCode })).toBe(said);
});
