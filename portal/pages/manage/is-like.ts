/** Whether a name has the words that a person searches, in capitals or not. */
export function isLike(name: string, words: string): boolean {
  return name.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase());
}
