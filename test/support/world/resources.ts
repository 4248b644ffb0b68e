import { createHash } from "node:crypto";
import type { BoardRecord } from "../../../lib/data/boards.ts";
import type { RoadmapRecord } from "../../../lib/data/roadmaps.ts";
import { type Person, shownOf } from "../../../lib/data/users.ts";
import { timeInside } from "../http/answers.ts";

// The resources of docs/contract.md#resources as they must be answered, made of what a test stored.

/** The avatar of a user (docs/decisions.md#accounts). */
export const avatar = (userId: string): string =>
  `https://www.gravatar.com/avatar/${createHash("sha256").update(userId).digest("hex")}?d=identicon`;

/** Author of a post. */
export const author = (person: Person) => ({ ...shownOf(person), avatar: avatar(person.userId) });

/** Board inside a post. */
export const board = ({ boardId, name, color, url }: BoardRecord) => ({
  boardId,
  name,
  color,
  url,
  createdAt: timeInside(boardId),
});

/** Roadmap summary. */
export const roadmap = ({ roadmapId, name, url, color }: RoadmapRecord) => ({ id: roadmapId, name, url, color });

/** The status of a post that was given none. */
export const open = { id: "open", name: "Open", color: "64748b", kind: "open" };

/** Roadmap list item. */
export const roadmapItem = (stored: RoadmapRecord) => ({
  ...roadmap(stored),
  index: stored.index,
  display: stored.display,
  created_at: timeInside(stored.roadmapId),
});

type StoredVote = Person & { voteId: string };

/** Viewer vote. */
export const viewerVote = (postId: string, { voteId, userId }: StoredVote) => ({
  voteId,
  userId,
  postId,
  createdAt: timeInside(voteId),
});

/** Vote, an item of `voters.votes`. */
export const vote = (postId: string, stored: StoredVote) => ({
  ...viewerVote(postId, stored),
  name: stored.name,
  username: stored.username,
  avatar: avatar(stored.userId),
  ...(stored.role && { role: stored.role }),
});
