/** Whether a line of a French text may break before : ? ! ; or within « », whose spaces must not break. */
export function breaksFrench(text: string): boolean {
  return /(?<!\u00a0):(?= |$)|(?<!\u202f)[?!;]|«(?!\u00a0)|(?<!\u00a0)»/.test(text);
}

/** Whether a Japanese text has a space beside one of its marks, or after a character. */
export function partsJapanese(text: string): boolean {
  return /(?<=[、。「」：！？（）\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]) | (?=[、。「」：！？（）])/u.test(
    text,
  );
}
