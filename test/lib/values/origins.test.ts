import { expect, it } from "vitest";
import { originIn } from "../../../lib/values/origins.ts";

it.each([
  ["https://feedback.example.com", "https://feedback.example.com"],
  ["https://Feedback.Example.com/", "https://feedback.example.com"],
  ["https://feedback.example.com:443", "https://feedback.example.com"],
  ["http://localhost:8080/", "http://localhost:8080"],
  ["https://exämple.de", "https://xn--exmple-cua.de"],
  ["http://[::1]:5173", "http://[::1]:5173"],
  ["localhost:8080", undefined],
  ["feedback.example.com", undefined],
  ["https://feedback.example.com/path", undefined],
  ["https://a@feedback.example.com", undefined],
  ["https://", undefined],
  ["*", undefined],
])("%s is the origin %s", (text, origin) => {
  expect(originIn(text)).toBe(origin);
});
