import type { StatusKind } from "../../lib/values/statuses.ts";
import type { FieldNames, Kind, Place } from "./formats/form.ts";

// The rows of a source as they can come in here.

export type Account = { ref: string; email?: string; name?: string; at?: number; blocked: boolean };
export type Board = { ref: string; name: string; description?: string; url?: string; color?: string; display: boolean };
export type Roadmap = { ref: string; name: string; url?: string; color?: string; display: boolean };
export type Status = { ref: string; name: string; color?: string; category?: StatusKind };
export type Tag = { ref: string; name: string; color?: string };
export type Post = {
  ref: string;
  title: string;
  /** The text in pieces: what does not fit into the post follows as comments of its author. */
  body: string[];
  author?: string;
  board?: string;
  roadmap?: string;
  status?: string;
  at?: number;
  slug?: string;
  mergedInto?: string;
  response?: string;
  responseAt?: number;
  /** The refs of its tags. */
  tags?: string[];
};
export type Vote = { post: string; voter: string; at?: number };
export type Comment = {
  ref: string;
  post: string;
  author?: string;
  /** A text that is too long for one comment has several pieces. */
  body: string[];
  parent?: string;
  internal: boolean;
  at?: number;
};

export type Checked = {
  account: Account;
  board: Board;
  roadmap: Roadmap;
  status: Status;
  tag: Tag;
  post: Post;
  vote: Vote;
  comment: Comment;
};
export type CheckedRow = {
  [K in Kind]: { kind: K; place: Place; value: Checked[K]; names?: FieldNames | undefined };
}[Kind];
