import fc from "fast-check";

/** Texts of any code points. fast-check's own unit of that kind takes a second to make. */
export function anyString(maxLength: number): fc.Arbitrary<string> {
  return fc.array(fc.nat(0x10ffff), { maxLength }).map((points) => String.fromCodePoint(...points));
}
