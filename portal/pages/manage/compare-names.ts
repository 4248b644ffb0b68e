function plain(name: string): string {
  return name.trim().toLocaleLowerCase();
}

/** Whether people could not tell two things of these names apart. */
export function isSameName(name: string, other: string): boolean {
  return plain(name) === plain(other);
}

/** Whether a name has the words that a person searches, in capitals or not. */
export function isLike(name: string, words: string): boolean {
  return plain(name).includes(plain(words));
}
