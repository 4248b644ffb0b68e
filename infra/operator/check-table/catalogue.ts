import { listOf, OPEN } from "../../../lib/catalogue/statuses.ts";
import { MAX_TAGS, MAX_TAGS_OF_POST } from "../../../lib/catalogue/tags.ts";
import { key } from "../../../lib/table/keys.ts";
import type { StatusLetter } from "../../../lib/values/statuses.ts";
import { foldCase } from "../../../lib/values/text.ts";
import { type Findings, finding, idIn, type StoredTable } from "./stored.ts";

function isDouble(values: readonly unknown[]): boolean {
  return new Set(values).size < values.length;
}

/**
 * Every board and roadmap has the claim of its url, every claim its entry; the order of roadmaps names each one, the
 * order of boards none twice.
 */
export function* catalogue({ all, at, has }: StoredTable): Findings {
  for (const { key: board, value } of all("board")) {
    if (at("boardUrl", key.boardUrl(value.url))?.boardId !== value.boardId) yield finding(board, "lacks its url claim");
  }
  for (const { key: claim, value } of all("boardUrl")) {
    if (at("board", key.board(value.boardId))?.url !== idIn(claim.pk))
      yield finding(claim, "is not the url of a board");
  }
  const { boardIds = [] } = at("boardOrder", key.boardOrder()) ?? {};
  if (isDouble(boardIds)) yield finding(key.boardOrder(), "orders a board twice");
  const indexes = at("roadmapOrder", key.roadmapOrder())?.indexes ?? {};
  for (const { key: roadmap, value } of all("roadmap")) {
    const claim = at("roadmapUrl", key.roadmapUrl(value.url));
    if (claim?.roadmapId !== value.roadmapId) yield finding(roadmap, "lacks its url claim");
    if (!Object.hasOwn(indexes, value.roadmapId)) yield finding(roadmap, "has no place in the order");
  }
  for (const { key: claim, value } of all("roadmapUrl")) {
    if (at("roadmap", key.roadmap(value.roadmapId))?.url !== idIn(claim.pk))
      yield finding(claim, "is not the url of a roadmap");
  }
  for (const id of Object.keys(indexes)) {
    if (!has("roadmap", key.roadmap(id))) yield finding(key.roadmapOrder(), `orders ${id}, which does not exist`);
  }
}

/** Every tag has the claim of its name, every claim its tag; the tags are counted, and no post has too many. */
export function* tags({ all, at }: StoredTable): Findings {
  for (const { key: tag, value } of all("tag")) {
    const claim = at("tagName", key.tagName(foldCase(value.name)));
    if (claim?.tagId !== value.tagId) yield finding(tag, "lacks the claim of its name");
  }
  for (const { key: claim, value } of all("tagName")) {
    const { name = "" } = at("tag", key.tag(value.tagId)) ?? {};
    if (foldCase(name) !== idIn(claim.pk)) yield finding(claim, "is not the name of a tag");
  }
  const counted = at("tagCount", key.tagCount())?.tags ?? 0;
  const number = all("tag").length;
  if (counted !== number) yield finding(key.tagCount(), `counts ${counted} tags, and there are ${number}`);
  if (number > MAX_TAGS) yield finding(key.tagCount(), `counts more than ${MAX_TAGS} tags`);
  for (const { key: post, value } of all("post")) {
    const { tagIds } = value;
    if (!tagIds) continue;
    const isSorted = tagIds.toSorted().join() === tagIds.join();
    if (!isSorted || isDouble(tagIds)) yield finding(post, "does not name each tag once, in the order of their ids");
    if (tagIds.length === 0 || tagIds.length > MAX_TAGS_OF_POST) yield finding(post, `has ${tagIds.length} tags`);
  }
}

/** The list of statuses names each id and letter once, and has the status of every post. */
export function* statuses({ all, at }: StoredTable): Findings {
  const list = listOf(at("statuses", key.statuses())).statuses;
  if (isDouble(list.map(({ statusId }) => statusId)) || isDouble(list.map(({ letter }) => letter))) {
    yield finding(key.statuses(), "names a status twice");
  }
  if (list.some(({ statusId, letter }) => (statusId === OPEN) !== (letter === undefined))) {
    yield finding(key.statuses(), `has another status than "${OPEN}" without a letter`);
  }
  const isListed = (letter: StatusLetter | undefined): boolean => list.some((status) => status.letter === letter);
  for (const { key: post, value } of all("post")) {
    if (!isListed(value.status)) yield finding(post, `has the status ${value.status}, which is not in the list`);
  }
}
