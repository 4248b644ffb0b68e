import { fileNamed, type Input, type Place, type Problem, type Row } from "../form.ts";
import { objectsIn } from "../json-array.ts";

// The backup of Fider's administration: a ZIP of JSON files, one for each table. docs/moving.md#from-fider.

type Fields = Record<string, unknown>;
type Table = (place: Place, row: Fields) => Generator<Row | Problem>;

/** The ids of the tags of posts, by the ids of these. */
type TagsOf = Map<unknown, unknown[]>;

const STATUSES = ["Open", "Started", "Completed", "Declined", "Planned"];
const DUPLICATE = 5;
const DELETED = 6;
const BLOCKED = 3;

/** Markdown without what only Fider shows: its pictures, and the brackets around a mentioned name. */
function textOf(text: unknown): unknown {
  if (typeof text !== "string") return text;
  return text.replace(/!\[[^\]]*\]\(fider-image:[^)]*\)/g, "").replace(/@\[([^\]]+)\]/g, "@$1");
}

/** What is not public in Fider, and why; undefined for everything else. */
function hiddenBy({ deleted_at, is_approved }: Fields): [field: string, what: string] | undefined {
  if (deleted_at) return ["deleted_at", "is set"];
  return is_approved === false ? ["is_approved", "is false"] : undefined;
}

const tables = (tagsOf: TagsOf): Record<string, Table> => ({
  *"tags.json"(place, { id, name, color, is_public }) {
    if (is_public === false) yield { place, field: "is_public", what: `is false: the tag “${name}” is left out` };
    else yield { kind: "tag", place, fields: { ref: id, name, color } };
  },

  *"users.json"(place, { id, name, email, created_at, status }) {
    yield {
      kind: "account",
      place,
      fields: { ref: id, name, email, at: created_at, blocked: Number(status) === BLOCKED },
    };
  },

  *"posts.json"(place, row) {
    const status = Number(row.status);
    if (status === DELETED) {
      yield { place, field: "status", what: "is deleted: the post is left out" };
      return;
    }
    const hidden = hiddenBy(row);
    if (hidden) {
      yield { place, field: hidden[0], what: `${hidden[1]}: the post is left out` };
      return;
    }
    const fields = {
      ref: row.id,
      title: row.title,
      body: textOf(row.description),
      author: row.user_id,
      status: STATUSES[status],
      at: row.created_at,
      // Links to a post have its number and its slug.
      slug: row.slug,
      mergedInto: status === DUPLICATE ? row.original_id : undefined,
      response: textOf(row.response),
      responseAt: row.response_date,
      tags: tagsOf.get(row.id),
    };
    yield { kind: "post", place, fields };
  },

  *"post_votes.json"(place, { post_id, user_id, created_at }) {
    yield { kind: "vote", place, fields: { post: post_id, voter: user_id, at: created_at } };
  },

  *"comments.json"(place, row) {
    const hidden = hiddenBy(row);
    if (hidden) {
      yield { place, field: hidden[0], what: `${hidden[1]}: the comment is left out` };
      return;
    }
    const { id, post_id, user_id, content, created_at } = row;
    const fields = { ref: id, post: post_id, author: user_id, body: textOf(content), at: created_at };
    yield { kind: "comment", place, fields };
  },
});

/** What is never read, and why. */
const unread: Record<string, string> = {
  "oauth_providers.json": "has secrets: enter the providers here anew",
  "email_verifications.json": "has keys of mails: people ask for new ones",
  "attachments.json": "there are no attachments here",
  "post_subscribers.json": "people follow posts here themselves",
};

export async function* fider(input: Input): AsyncGenerator<Row | Problem> {
  if (!fileNamed(input, "posts.json"))
    throw new Error("There is no posts.json: give the backup.zip of Fider's administration (a posts.csv has no votes)");
  const place = { file: "posts.json", row: 0 };
  for (const name of STATUSES) yield { kind: "status", place, fields: { ref: name, name } };
  for (const [table, rowsOf] of Object.entries(tables(await tagsOfPosts(input)))) {
    const file = fileNamed(input, table);
    if (file === undefined) continue;
    for await (const { row, value } of objectsIn(file, await input.open(file))) {
      if (value) yield* rowsOf({ file, row }, value);
      else yield { place: { file, row }, field: "row", what: "is too long: left out" };
    }
  }
  for (const [table, why] of Object.entries(unread)) {
    const file = fileNamed(input, table);
    if (file !== undefined && (await hasRows(input, file)))
      yield { place: { file, row: 0 }, field: "file", what: `is not read: ${why}` };
  }
}

/** The tags of all posts: a table of its own, which is read before the posts. */
async function tagsOfPosts(input: Input): Promise<TagsOf> {
  const tagsOf: TagsOf = new Map();
  const file = fileNamed(input, "post_tags.json");
  if (file === undefined) return tagsOf;
  for await (const { value } of objectsIn(file, await input.open(file))) {
    if (value) tagsOf.set(value.post_id, [...(tagsOf.get(value.post_id) ?? []), value.tag_id]);
  }
  return tagsOf;
}

async function hasRows(input: Input, file: string): Promise<boolean> {
  for await (const _ of objectsIn(file, await input.open(file))) return true;
  return false;
}
