import { invalid } from "./errors.ts";

// Numbers as DynamoDB has them: decimal, up to 38 significant digits, from 1E-130 to 9.99...E+125 and their negatives, and zero.

/** A number: coefficient times ten to the exponent, the coefficient without trailing zeros. */
type Decimal = { coefficient: bigint; exponent: number };

const DIGITS = 38;
const HIGHEST = 125;
const LOWEST = -130;

const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const SMALL_INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;

function parse(text: string): Decimal {
  const [, sign = "", whole = "", fraction = "", power = "0"] = SHAPE.exec(text) ?? [];
  const digits = whole + fraction;
  if (digits === "") {
    throw invalid(`The parameter cannot be converted to a numeric value${text === "" ? "" : `: ${text}`}`);
  }
  const significant = digits.replace(/0+$/, "");
  const exponent = Number(power) - fraction.length + digits.length - significant.length;
  return { coefficient: BigInt(`${sign === "-" ? "-" : ""}${significant || "0"}`), exponent };
}

/** The digits of a coefficient, without its sign. */
function digitsOf(coefficient: bigint): string {
  return String(coefficient < 0n ? -coefficient : coefficient);
}

function trimmed({ coefficient, exponent }: Decimal): Decimal {
  if (coefficient === 0n) return { coefficient, exponent: 0 };
  const digits = String(coefficient);
  const significant = digits.replace(/0+$/, "");
  return { coefficient: BigInt(significant), exponent: exponent + digits.length - significant.length };
}

function format({ coefficient, exponent }: Decimal): string {
  const digits = digitsOf(coefficient);
  const sign = coefficient < 0n ? "-" : "";
  if (exponent >= 0) return sign + digits + "0".repeat(exponent);
  const padded = digits.padStart(1 - exponent, "0");
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

function checked(number: Decimal): Decimal {
  const { coefficient, exponent } = number;
  if (coefficient === 0n) return { coefficient, exponent: 0 };
  const digits = digitsOf(coefficient).length;
  if (digits > DIGITS) throw invalid("Attempting to store more than 38 significant digits in a Number");
  const magnitude = exponent + digits - 1;
  const outside = (what: string, than: string) =>
    invalid(`Number ${what}. Attempting to store a number with magnitude ${than} than supported range`);
  if (magnitude > HIGHEST) throw outside("overflow", "larger");
  if (magnitude < LOWEST) throw outside("underflow", "smaller");
  return number;
}

/** The one way that DynamoDB writes a number; throws where it refuses it. */
export function canonicalNumber(text: string): string {
  return SMALL_INTEGER.test(text) ? text : format(checked(trimmed(parse(text))));
}

/** Both with the same exponent. */
function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  const at = ({ coefficient, exponent: own }: Decimal): bigint => coefficient * 10n ** BigInt(own - exponent);
  return [at(a), at(b), exponent];
}

/** Compares two numbers: negative, zero or positive. */
export function compareNumbers(a: string, b: string): number {
  if (SMALL_INTEGER.test(a) && SMALL_INTEGER.test(b)) return Number(a) - Number(b);
  const [left, right] = aligned(parse(a), parse(b));
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** The sum of two numbers, or their difference. */
export function addNumbers(a: string, b: string, sign: 1 | -1 = 1): string {
  if (SMALL_INTEGER.test(a) && SMALL_INTEGER.test(b)) return canonicalNumber(String(Number(a) + sign * Number(b)));
  const [left, right, exponent] = aligned(parse(a), parse(b));
  return format(checked(trimmed({ coefficient: left + BigInt(sign) * right, exponent })));
}

/** The bytes that a number takes: one for two significant digits, one more, and one for a minus sign. */
export function sizeOfNumber(canonical: string): number {
  const digits = canonical.replace(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "");
  return Math.ceil(digits.length / 2) + 1 + (canonical.startsWith("-") ? 1 : 0);
}
