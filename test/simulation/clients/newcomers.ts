import type { Turn } from "./turn.ts";

// The addresses and names of people who come and go: as nobody else has them, so that what a walk finds is theirs.

const ADDRESS = /^leaving\.\w+@example\.com$/;

/** Whether an account is one that is about to be deleted. */
export function isLeaving({ email }: { email: string }): boolean {
  return ADDRESS.test(email);
}

/** A word that nothing else in the table has. */
export function aWord({ random }: Turn): string {
  return random.bytes(6).toString("hex");
}

export function anAddress(turn: Turn): string {
  return `leaving.${aWord(turn)}@example.com`;
}

/** An address and a name as nobody else has them. */
export function aNewcomer(turn: Turn): { email: string; name: string } {
  return { email: anAddress(turn), name: aName(turn) };
}

export function aName(turn: Turn): string {
  const [first, last] = turn.random.oneOf([
    ["Zoé", "Ångström"],
    ["山田", "花子"],
    ["Łukasz", "O'Hara-Ünal"],
    ["Ann", "Smith"],
  ] as const);
  return `${first} ${aWord(turn)} ${last}`;
}
