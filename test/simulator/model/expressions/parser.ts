import { isReserved } from "./reserved.ts";
import { type ExpressionKind, invalidExpression, type Token, tokensOf } from "./tokens.ts";

/** A step of a document path: an attribute (or a placeholder of one), or a place in a list. */
export type Step = string | number;

/** A document path as written: `a.#b[2]` is `["a", "#b", 2]`. */
export type Path = readonly Step[];

/** A path in the form of error messages: `[a, b, [2]]`. */
export function pathText(path: Path): string {
  return `[${path.map((step) => (typeof step === "number" ? `[${step}]` : step)).join(", ")}]`;
}

/** Reads an expression token by token; grammars build on it. Notes which placeholders it meets. */
export class Parser {
  readonly kind: ExpressionKind;
  readonly names = new Set<string>();
  readonly values = new Set<string>();
  readonly #tokens: Token[];
  #at = 0;

  constructor(kind: ExpressionKind, text: string) {
    this.kind = kind;
    this.#tokens = tokensOf(kind, text);
  }

  /** The token at hand, or one further on. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] as Token;
  }

  next(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  error(problem: string): Error {
    return invalidExpression(this.kind, problem);
  }

  /** What to throw where the token at hand does not fit. */
  syntaxError(): Error {
    const around = this.#tokens.slice(Math.max(0, this.#at - 1), this.#at + 2).filter(({ kind }) => kind !== "end");
    const near = around.map(({ text }) => text).join(" ");
    return this.error(`Syntax error; token: "${this.peek().text}", near: "${near}"`);
  }

  /** Whether the token at hand is a sign, or one of some. */
  isSign(...signs: string[]): boolean {
    const { kind, text } = this.peek();
    return kind === "sign" && signs.includes(text);
  }

  /** Whether the token at hand is a keyword, in whatever case. */
  isKeyword(...words: string[]): boolean {
    const { kind, text } = this.peek();
    return kind === "word" && words.includes(text.toUpperCase());
  }

  /** Takes a sign if it is there. */
  takeSign(sign: string): boolean {
    if (!this.isSign(sign)) return false;
    this.#at++;
    return true;
  }

  /** Takes a keyword if it is there. */
  takeKeyword(word: string): boolean {
    if (!this.isKeyword(word)) return false;
    this.#at++;
    return true;
  }

  /** Takes a sign that has to be there. */
  expectSign(sign: string): void {
    if (!this.takeSign(sign)) throw this.syntaxError();
  }

  /** Takes a keyword that has to be there. */
  expectKeyword(word: string): void {
    if (!this.takeKeyword(word)) throw this.syntaxError();
  }

  /** Makes sure that nothing is left. */
  expectEnd(): void {
    if (this.peek().kind !== "end") throw this.syntaxError();
  }

  /** Things with commas between them. */
  list<T>(one: () => T): T[] {
    const all = [one()];
    while (this.takeSign(",")) all.push(one());
    return all;
  }

  path(): Path {
    const steps: Step[] = [this.#attribute()];
    for (;;) {
      if (this.takeSign(".")) steps.push(this.#attribute());
      else if (this.takeSign("[")) {
        if (this.peek().kind !== "number") throw this.syntaxError();
        steps.push(Number(this.next().text));
        this.expectSign("]");
      } else return steps;
    }
  }

  #attribute(): string {
    const { kind, text } = this.peek();
    if (kind !== "word" && kind !== "name") throw this.syntaxError();
    this.#at++;
    if (kind === "name") this.names.add(text);
    else if (isReserved(text)) throw this.error(`Attribute name is a reserved keyword; reserved keyword: ${text}`);
    return text;
  }

  /** A placeholder of a value. */
  value(): string {
    if (this.peek().kind !== "value") throw this.syntaxError();
    const { text } = this.next();
    this.values.add(text);
    return text;
  }
}
