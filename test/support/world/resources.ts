import { createHash } from "node:crypto";
import { type Person, shownOf } from "../../../lib/accounts/users.ts";
import type { BoardRecord } from "../../../lib/catalogue/boards.ts";
import type { RoadmapRecord } from "../../../lib/catalogue/roadmaps.ts";
import { timeInside } from "../http/invoke.ts";

// The resources of docs/contract.md#resources as they must be answered, made of what a test stored.

export function avatar(userId: string): string {
  return `https://www.gravatar.com/avatar/${createHash("sha256").update(userId).digest("hex")}?d=identicon`;
}

export function author(person: Person) {
  return { ...shownOf(person), avatar: avatar(person.userId) };
}

export function board({ boardId, name, color, url }: BoardRecord) {
  return { boardId, name, color, url, createdAt: timeInside(boardId) };
}

export function roadmap({ roadmapId, name, url, color }: RoadmapRecord) {
  return { id: roadmapId, name, url, color };
}

export const open = { id: "open", name: "Open", color: "64748b", kind: "open" };

export function roadmapItem(stored: RoadmapRecord) {
  return {
    ...roadmap(stored),
    index: stored.index,
    display: stored.display,
    created_at: timeInside(stored.roadmapId),
  };
}

type StoredVote = Person & { voteId: string };

export function viewerVote(postId: string, { voteId, userId }: StoredVote) {
  return { voteId, userId, postId, createdAt: timeInside(voteId) };
}

export function vote(postId: string, stored: StoredVote) {
  return {
    ...viewerVote(postId, stored),
    name: stored.name,
    username: stored.username,
    avatar: avatar(stored.userId),
    ...(stored.role && { role: stored.role }),
  };
}
