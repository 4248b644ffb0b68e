import { key } from "../../../lib/table/keys.ts";
import { numberOf } from "../../../lib/values/words.ts";
import { type Findings, finding, idIn, type StoredTable } from "./stored.ts";

function sorted(numbers: number[]): string {
  return numbers.toSorted((a, b) => a - b).join(" ");
}

/** The word rows of a post are exactly those that its derived item names. */
export function* words({ all, at, has }: StoredTable): Findings {
  for (const { key: row, value } of all("wordRow")) {
    const derived = at("derivedWords", key.derivedWords(value.postId));
    const place = [value.board, value.roadmap, value.status];
    const isRight =
      derived?.words.includes(value.word) &&
      sorted(value.numbers) === sorted(derived.words.map(numberOf)) &&
      place.every(
        (each, index) => each === [numberAt(derived.boardId), numberAt(derived.roadmapId), derived.status][index],
      );
    if (!isRight) yield finding(row, "differs from its post's derived item");
  }
  for (const { key: derived, value } of all("derivedWords")) {
    const postId = idIn(derived.pk);
    for (const word of value.words)
      if (!has("wordRow", key.wordRow(word, postId))) yield finding(derived, `names ${word}, which has no row`);
  }
}

function numberAt(id: string | undefined): number | undefined {
  return id === undefined ? undefined : numberOf(id);
}
